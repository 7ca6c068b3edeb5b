import { downtimeAfterReport, type OrderTerms } from '@rackfair/core'

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

export const NO_REPORTS = { down: 0, reportedUntil: 0, downSince: 0, periodFrom: 0, base: 0, said: 0, pendingDown: 0 }

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
    order.periodFrom = time
    order.base = order.down
  }
  order.reportedUntil = time
  order.said = said
  order.down = downtimeAfterReport({ ...order, down: Math.max(order.base, order.pendingDown) }, said, time)
  if (order.downSince !== 0) order.downSince = Math.max(order.downSince, time - order.down)
}
