import { type Deployment, type DeploymentStep, PHASES, readFrames } from '@rackfair/core'
import { readJsonFrames, withStream } from './exec.ts'
import type { Workspace } from './Workspace.ts'

/** A deployment as the order's machine remembers it. */
export interface RememberedDeployment extends Pick<Deployment, 'id' | 'deployId' | 'requestedAt'> {
  steps: readonly DeploymentStep[]
}

const MAX_DEPLOYMENTS = 100
const MAX_STEPS = 100
const MAX_MESSAGE_LENGTH = 1000

/**
 * The history of an order's applications as its machine tells it, newest deployment first: the platform knows only the latest. Messages are
 * untrusted text.
 *
 * @throws AppError `workspace_unsupported`, `provider_offline` (retryable).
 * @example for (const { steps } of await events(workspace)) console.log(steps.map(({ phase }) => phase).join(', '))
 */
export async function events(workspace: Workspace, { signal }: { signal?: AbortSignal } = {}): Promise<RememberedDeployment[]> {
  return withStream(workspace, 'events', {}, signal, async (stream) => {
    const deployments: RememberedDeployment[] = []
    for await (const answer of readJsonFrames(readFrames(stream.incoming))) {
      const { id, deployId, requestedAt, steps } = answer as Partial<Deployment>
      if (typeof id !== 'string' || typeof deployId !== 'number' || typeof requestedAt !== 'number') continue
      deployments.push({ id, deployId, requestedAt, steps: stepsOf(steps) })
      if (deployments.length === MAX_DEPLOYMENTS) break
    }
    return deployments
  })
}

function stepsOf(steps: unknown): DeploymentStep[] {
  if (!Array.isArray(steps)) return []
  return (steps as Partial<DeploymentStep>[]).slice(-MAX_STEPS).flatMap((step) => {
    const { phase, at, code, message } = step ?? {}
    if (phase === undefined || !Object.hasOwn(PHASES, phase) || typeof at !== 'number' || !Number.isSafeInteger(at)) return []
    return {
      ...{ phase, at },
      ...(typeof code === 'string' ? { code: code.slice(0, 40) } : {}),
      ...(typeof message === 'string' ? { message: message.slice(0, MAX_MESSAGE_LENGTH) } : {}),
    }
  })
}
