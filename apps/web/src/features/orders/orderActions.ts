import { inProbation, OrderStatus, orderTerms, shownStatus } from '@rackfair/core'
import type { DeploymentWire, OrderWire } from '@rackfair/core/wire'

/** What a buyer can do with an order now. */
export interface OrderActions {
  visit: boolean
  deploy: 'yes' | 'under_way' | 'no'
  clean: boolean
  extend: boolean
  cancel: boolean
  confirm: boolean
}

const UNDER_WAY: readonly string[] = ['Queued', 'Accepted', 'Pulling', 'Creating', 'Starting', 'Cleaning']
const PRESENT: readonly string[] = ['Running', 'Degraded']

/** `deployment` is the latest one, null before the first, undefined while it is not known. */
export function orderActions(
  order: OrderWire,
  deployment: Pick<DeploymentWire, 'phase' | 'deployId'> | null | undefined,
  now: number,
): OrderActions {
  const status = shownStatus(order, now)
  const running = status === OrderStatus.Active
  const live = running || status === OrderStatus.Created
  const underWay = deployment !== null && deployment !== undefined && UNDER_WAY.includes(deployment.phase)
  const present = order.deployed || (deployment !== null && deployment !== undefined && PRESENT.includes(deployment.phase))
  return {
    visit: running && present && !underWay,
    deploy: !live || present ? 'no' : underWay ? 'under_way' : 'yes',
    clean: running && present && !underWay,
    extend: running,
    cancel: live || status === OrderStatus.Expired,
    confirm: inProbation(orderTerms(order), now),
  }
}
