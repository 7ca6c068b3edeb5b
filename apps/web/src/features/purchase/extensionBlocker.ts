import { MAX_MONTHS, MONTH_SECONDS, OrderStatus, shownStatus } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'

/** Why an order cannot be extended. */
export type ExtensionBlocker =
  | { code: 'not_yours' }
  | { code: 'not_started' }
  | { code: 'ended' }
  | { code: 'machine_offline' }
  | { code: 'too_long'; mostMonths: number }

type OrderState = Pick<OrderWire, 'user' | 'status' | 'activateTime' | 'duration'> & {
  node: { switchedOn: boolean } | null
}

export function extensionBlocker(
  order: OrderState,
  user: string | undefined,
  months: number | undefined,
  now: number,
): ExtensionBlocker | undefined {
  if (user !== undefined && user.toLowerCase() !== order.user.toLowerCase()) return { code: 'not_yours' }
  const status = shownStatus(order, now)
  if (status === OrderStatus.Created) return { code: 'not_started' }
  if (status !== OrderStatus.Active) return { code: 'ended' }
  if (order.node !== null && !order.node.switchedOn) return { code: 'machine_offline' }
  const ahead = order.activateTime + order.duration - now
  const mostMonths = Math.floor((MAX_MONTHS * MONTH_SECONDS - ahead) / MONTH_SECONDS)
  return months !== undefined && months > mostMonths ? { code: 'too_long', mostMonths } : undefined
}
