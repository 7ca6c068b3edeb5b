import { readFrames } from '@rackfair/protocol/frames'
import { readJsonFrames, withStream } from './exec.ts'
import { type RememberedDeployment, readRememberedDeployment } from './read/events.ts'
import type { Workspace } from './Workspace.ts'

const MAX_DEPLOYMENTS = 100

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
      const deployment = readRememberedDeployment(answer)
      if (deployment) deployments.push(deployment)
      if (deployments.length === MAX_DEPLOYMENTS) break
    }
    return deployments
  })
}
