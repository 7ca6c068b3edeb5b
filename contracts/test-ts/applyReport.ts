import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { type CancelQuote, downtimeAfterReport, paidTwiceSeconds } from '@rackfair/rules/order/money'
import type { OrderTerms } from '@rackfair/rules/order/order'

const REPORT_PERIOD = 28_800

/** What is known of the downtime of an order beside its terms. */
export interface Reports {
  /** When the period began whose reports can be corrected, and the downtime before it. */
  periodFrom: number
  base: number
  /** The downtime that the newest report named. */
  said: number
  /** Of a cancelled order: its downtime at the cancel. */
  pendingDown: number
}

export const NO_REPORTS = {
  downSeconds: 0,
  reportedUntil: 0,
  downSince: 0,
  creditedTwiceSeconds: 0,
  periodFrom: 0,
  base: 0,
  said: 0,
  pendingDown: 0,
}

/** A report of `total` seconds as of `asOf` about an order that could be served until `until` and is settled to its edge. */
export function applyReport(order: OrderTerms & Reports, total: number, asOf: number, until: number): void {
  const time = Math.min(asOf, until)
  const last = order.reportedUntil === 0 ? order.activateTime : order.reportedUntil
  if (time < last || time <= order.activateTime) return
  const said = Math.min(total, time - order.activateTime)
  if (time === last && said <= order.said) return
  const awayAllTheTime = said >= order.said + time - last
  if (time > last) order.downSince = !awayAllTheTime ? 0 : order.downSince === 0 ? last : order.downSince
  if (time >= order.periodFrom + REPORT_PERIOD) {
    order.creditedTwiceSeconds = paidTwice(order)
    order.periodFrom = time
    order.base = order.downSeconds
  }
  order.reportedUntil = time
  order.said = said
  order.downSeconds = downtimeAfterReport({ ...order, downSeconds: Math.max(order.base, order.pendingDown) }, said, time)
  if (order.downSince !== 0) order.downSince = Math.max(order.downSince, time - order.downSeconds)
}

/** What the provider's pledge pays when an order closes for which `quote` says what it owes for dropping it. */
export function fromPledge(order: OrderTerms & Reports, quote: Pick<CancelQuote, 'compensation'>): bigint {
  const worth = (seconds: number) => (order.ratePerMonthWei * BigInt(seconds)) / BigInt(MONTH_SECONDS)
  const twice = paidTwice(order)
  const rest = worth(order.penalty) - worth(twice)
  const penalty = quote.compensation < rest ? quote.compensation : rest
  return penalty + worth(twice) - worth(order.creditedTwiceSeconds)
}

/** The downtime that is paid once more by now, nothing of which was announced. */
const paidTwice = (order: OrderTerms): number => (order.reportedUntil === 0 ? 0 : paidTwiceSeconds(order, 0))
