import type { Order } from '../order/order.ts'
import { CLEAN_DEPLOY_ID } from '../presets.ts'
import type { Deployment } from './deployment.ts'
import { PHASES } from './phase.ts'

/** The latest deployment of an order: null before the first, undefined while it is loading. */
export type LatestDeployment =
  | (Pick<Deployment, 'phase' | 'deployId' | 'steps'> & Partial<Pick<Deployment, 'visitUrl' | 'details'>>)
  | null
  | undefined

/** The source of an application's state: the agent's latest report, or the flag on chain where no report says more. */
export type ApplicationFact = 'report' | 'flag'

/** The application of an order. `deployId` is its catalogue id if a report names it. */
export type Application =
  | { state: 'unknown' }
  | { state: 'none' | 'busy'; fact: ApplicationFact }
  | { state: 'present'; fact: ApplicationFact; deployId: number | undefined }

/**
 * Whether an application is on the machine of an order. The newest fact wins: agents report at once and write the flag on chain later, so a
 * report outranks the flag. A request that never reached the machine, one that failed before it replaced what ran, and a clean that failed
 * changed nothing, so the flag still holds.
 */
export function applicationOf(order: Pick<Order, 'deployed'>, latest: LatestDeployment): Application {
  if (latest === undefined) return { state: 'unknown' }
  if (latest === null || (latest.phase === 'Failed' && changedNothing(latest)))
    return order.deployed ? { state: 'present', fact: 'flag', deployId: undefined } : { state: 'none', fact: 'flag' }
  const { busy, present } = PHASES[latest.phase]
  if (busy) return { state: 'busy', fact: 'report' }
  return present ? { state: 'present', fact: 'report', deployId: latest.deployId } : { state: 'none', fact: 'report' }
}

function changedNothing({ deployId, steps, details }: NonNullable<LatestDeployment>): boolean {
  return (
    details?.earlierRuns === true ||
    deployId === CLEAN_DEPLOY_ID ||
    steps.every(({ phase }) => phase === 'Queued' || phase === 'Failed')
  )
}
