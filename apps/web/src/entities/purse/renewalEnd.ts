import { DAY_SECONDS } from '@rackfair/rules/duration'
import type { Order } from '@rackfair/rules/order/order'
import { keptUntil } from '@rackfair/rules/order/renewal'
import type { PurseStanding } from '@rackfair/sdk'

/** What runs out within this time is marked. Its owner is told of it by alerts at the same time. */
export const SOON_SECONDS = 3 * DAY_SECONDS

/**
 * Until when an order is renewed, in Unix seconds, and whether that is soon; undefined where nothing renews it.
 * `purse` is what it holds, and what all orders that it keeps cost per month.
 */
export function renewalEnd(
  order: Pick<Order, 'activateTime' | 'duration' | 'ratePerMonthWei'>,
  standing: PurseStanding | undefined,
  purse: { creditWei: bigint; ratePerMonthWei: bigint },
  now: number,
): { until: number; isSoon: boolean } | undefined {
  if (standing === undefined || standing.until <= now) return undefined
  // Before it starts, it has its whole time ahead.
  const until = keptUntil({ ...order, activateTime: order.activateTime || now }, standing, purse)
  return { until, isSoon: until < now + SOON_SECONDS }
}
