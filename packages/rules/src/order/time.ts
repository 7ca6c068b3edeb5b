import { START_SECONDS } from '../duration.ts'
import type { Order, OrderTerms } from './order.ts'
import { OrderStatus, shownStatus } from './status.ts'

/** When the order ends. Only meaningful once it is activated. */
export function orderEnd(order: Pick<OrderTerms, 'activateTime' | 'duration'>): number {
  return order.activateTime + order.duration
}

/** True while either side may leave at once, without waiting for reports: activated, inside probation, not confirmed, nothing deployed yet. */
export function inProbation(order: OrderTerms, now: number): boolean {
  const used = order.userConfirm || order.deployed
  return order.status === OrderStatus.Active && !used && now < order.activateTime + order.probation
}

/** The phase of an order in time. */
export type OrderTime =
  | { phase: 'waiting'; startBefore: number }
  | { phase: 'running'; end: number; leftSeconds: number; leftShare: number }
  | { phase: 'expired'; end: number }
  | { phase: 'closed'; at: number }

export function orderTime(
  order: Pick<Order, 'status' | 'createTime' | 'activateTime' | 'closeTime' | 'duration'>,
  now: number,
): OrderTime {
  const end = orderEnd(order)
  switch (shownStatus(order, now)) {
    case OrderStatus.Created:
      return { phase: 'waiting', startBefore: order.createTime + START_SECONDS }
    case OrderStatus.Active: {
      const leftSeconds = Math.min(order.duration, end - now)
      return { phase: 'running', end, leftSeconds, leftShare: leftSeconds / order.duration }
    }
    case OrderStatus.Expired:
      return { phase: 'expired', end }
    default:
      return { phase: 'closed', at: order.closeTime }
  }
}
