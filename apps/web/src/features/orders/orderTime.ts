import { OrderStatus, START_SECONDS, shownStatus } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'

/** Where an order stands in time. */
export type OrderTime =
  | { phase: 'waiting'; startBefore: number }
  | { phase: 'running'; end: number; leftSeconds: number; leftShare: number }
  | { phase: 'expired'; end: number }
  | { phase: 'closed'; at: number }

export function orderTime(
  order: Pick<OrderWire, 'status' | 'createTime' | 'activateTime' | 'closeTime' | 'duration'>,
  now: number,
): OrderTime {
  const end = order.activateTime + order.duration
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
