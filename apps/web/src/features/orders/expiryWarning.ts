import type { OrderTime } from '@rackfair/rules/order/time'

const DAY = 86_400

/** An order warns 3 days before it ends, and again more clearly 1 day before. */
export function expiryWarning(time: OrderTime): 'soon' | 'very_soon' | undefined {
  if (time.phase !== 'running' || time.leftSeconds > 3 * DAY) return undefined
  return time.leftSeconds > DAY ? 'soon' : 'very_soon'
}
