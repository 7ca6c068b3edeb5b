import type { OrderTime } from '@rackfair/rules/order/time'

const DAY = 86_400

/**
 * An order warns 3 days before it ends, and again more clearly 1 day before; one of a few hours or days in the last fifth and tenth of its
 * time, so that none begins with a warning.
 */
export function expiryWarning(time: OrderTime): 'soon' | 'very_soon' | undefined {
  if (time.phase !== 'running') return undefined
  const { leftSeconds, leftShare } = time
  if (leftSeconds > 3 * DAY || leftShare > 1 / 5) return undefined
  return leftSeconds > DAY || leftShare > 1 / 10 ? 'soon' : 'very_soon'
}
