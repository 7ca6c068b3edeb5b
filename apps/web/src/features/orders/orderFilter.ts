import type { Order } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'

export const ORDER_FILTERS = ['active', 'ended', 'all'] as const
export type OrderFilter = (typeof ORDER_FILTERS)[number]

/** The filter of an address bar; what is not known shows the active ones. */
export function readOrderFilter(text: string | undefined): OrderFilter {
  return ORDER_FILTERS.find((filter) => filter === text) ?? 'active'
}

/** An order past its end counts as active until its money is settled: something can still be done with it. */
export function filterOrders<Listed extends Pick<Order, 'status'>>(orders: readonly Listed[], filter: OrderFilter): Listed[] {
  return orders.filter((order) => filter === 'all' || isTerminal(order.status) === (filter === 'ended'))
}
