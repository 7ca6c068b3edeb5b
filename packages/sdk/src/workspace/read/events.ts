import type { Deployment, DeploymentStep } from '@rackfair/rules/deployment/deployment'
import { PHASES } from '@rackfair/rules/deployment/phase'
import { MAX_DATE_MS } from '@rackfair/rules/limits'

/** A deployment as the order's machine remembers it. */
export interface RememberedDeployment extends Pick<Deployment, 'id' | 'deployId' | 'requestedAt'> {
  steps: readonly DeploymentStep[]
}

const MAX_ID_LENGTH = 100
const MAX_STEPS = 100
const MAX_MESSAGE_LENGTH = 1000

/** An answer of the stream `events`; undefined if it names no deployment. Steps that cannot be read are left out, long texts are cut. */
export function readRememberedDeployment(json: unknown): RememberedDeployment | undefined {
  const { id, deployId, requestedAt, steps } = (json ?? {}) as Partial<Deployment>
  if (typeof id !== 'string' || id.length > MAX_ID_LENGTH || typeof deployId !== 'number' || !isTime(requestedAt))
    return undefined
  return { id, deployId, requestedAt, steps: stepsOf(steps) }
}

function stepsOf(steps: unknown): DeploymentStep[] {
  if (!Array.isArray(steps)) return []
  return (steps as Partial<DeploymentStep>[]).slice(-MAX_STEPS).flatMap((step) => {
    const { phase, at, code, message } = step ?? {}
    if (typeof phase !== 'string' || !Object.hasOwn(PHASES, phase) || !isTime(at)) return []
    return {
      ...{ phase, at },
      ...(typeof code === 'string' ? { code: code.slice(0, 40) } : {}),
      ...(typeof message === 'string' ? { message: message.slice(0, MAX_MESSAGE_LENGTH) } : {}),
    }
  })
}

/** Unix milliseconds that a `Date` can hold. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DATE_MS
}
