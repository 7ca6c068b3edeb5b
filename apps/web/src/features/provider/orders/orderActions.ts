import {
  dueWei,
  inProbation,
  OrderStatus,
  type OrderTerms,
  orderEnd,
  orderTerms,
  START_SECONDS,
  settlementEdge,
  shownStatus,
} from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'

/** Why an order of one's own cannot be settled now. */
export type SettleBlocker = 'not_started' | 'probation' | 'nothing_final' | 'closed'

export interface OrderActions {
  status: OrderStatus
  /** What a settlement would book now, before commission, in wei. */
  dueWei: bigint
  settleBlocker: SettleBlocker | undefined
  /** True while dropping the order is possible: created, or running and before its end. */
  canCancel: boolean
  /** True while the time of a created order can still be started by hand. */
  canActivate: boolean
}

/** What a provider can do with an order at `now` (unix seconds): the transitions of the Market contract. */
export function orderActions(order: OrderWire, now: number): OrderActions {
  const terms = orderTerms(order)
  const status = shownStatus(order, now)
  const active = order.status === OrderStatus.Active
  const due = active ? dueWei(terms, settlementEdge(terms, now)) : 0n
  return {
    status,
    dueWei: due,
    settleBlocker: settleBlocker(terms, now, due, order.node?.orderId === order.id),
    canCancel: order.status === OrderStatus.Created || (active && now < orderEnd(terms)),
    canActivate: order.status === OrderStatus.Created && now < order.createTime + START_SECONDS,
  }
}

function settleBlocker(terms: OrderTerms, now: number, due: bigint, holdsNode: boolean): SettleBlocker | undefined {
  if (terms.status === OrderStatus.Created) return 'not_started'
  if (terms.status !== OrderStatus.Active) return 'closed'
  if (inProbation(terms, now)) return 'probation'
  const end = orderEnd(terms)
  const frees = now >= end && holdsNode
  const completes = now >= end + terms.holdback
  return due > 0n || frees || completes ? undefined : 'nothing_final'
}
