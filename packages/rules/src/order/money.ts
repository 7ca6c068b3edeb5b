import {
  allowedDowntime,
  excusedDowntime,
  HOUR_SECONDS,
  LOST_AFTER_SECONDS,
  MONTH_SECONDS,
  REPORT_FRESH_SECONDS,
  START_SECONDS,
} from '../duration.ts'
import { accruedWei, commissionWei } from '../prices/pricing.ts'
import { type Order, type OrderTerms, orderTerms } from './order.ts'
import { isTerminal, OrderStatus, standingOf } from './status.ts'
import { inProbation, orderEnd } from './time.ts'

/**
 * How closing an order splits its money, in wei. `toProvider` is after commission. Downtime beyond the allowance that no report has made
 * final yet is paid on top, out of the pledge; only the contract's own `quoteCancel` knows it.
 */
export interface CancelQuote {
  toUser: bigint
  toProvider: bigint
  commission: bigint
  /** What the provider's pledge adds for the buyer; part of `toUser`. */
  compensation: bigint
  /** Held for a report of the last hours, for at most 24 hours; then it goes to the provider or back to the buyer. */
  pending: bigint
}

/** `due(T) = max(0, A(max(0, T - activateTime - downSeconds)) - remunerationWei)`: earned by `T` and not yet paid, in wei. */
export function dueWei(
  order: Pick<OrderTerms, 'ratePerMonthWei' | 'remunerationWei' | 'activateTime' | 'downSeconds'>,
  atSeconds: number,
): bigint {
  const earned = accruedWei(order.ratePerMonthWei, atSeconds - order.activateTime - order.downSeconds)
  return earned > order.remunerationWei ? earned - order.remunerationWei : 0n
}

/** The moment up to which a settlement pays: `clamp(now - holdbackSeconds, activateTime, end)`. */
export function settlementEdge(order: Pick<OrderTerms, 'holdbackSeconds' | 'activateTime' | 'duration'>, now: number): number {
  return Math.max(order.activateTime, Math.min(now - order.holdbackSeconds, orderEnd(order)))
}

/**
 * The downtime of an order after a report of `totalSeconds` as of `asOf`. The order must already be settled to its edge; `downSeconds` is a
 * floor that no report lowers. Paid seconds cannot be credited, and nothing after the end counts:
 */
export function downtimeAfterReport(order: OrderTerms, totalSeconds: number, asOf: number): number {
  const paidSeconds = (order.remunerationWei * BigInt(MONTH_SECONDS) + order.ratePerMonthWei - 1n) / order.ratePerMonthWei
  const reachable = Math.min(asOf, orderEnd(order)) - order.activateTime - Number(paidSeconds)
  return Math.max(order.downSeconds, Math.min(totalSeconds, reachable))
}

/** What a cancel by the user at `now` would do, exact to the wei. */
export function quoteUserCancel(order: OrderTerms & Pick<Order, 'createTime'>, now: number): CancelQuote {
  if (order.status === OrderStatus.Created)
    return split(order, 0n, now < order.createTime + START_SECONDS ? 0n : startPenaltyWei(order))
  if (isLost(order, now)) return quoteLost(order)
  if (now >= orderEnd(order)) return split(order, dueWei(order, orderEnd(order)), 0n)
  if (inProbation(order, now)) return split(order, dueWei(order, now), 0n)
  return splitByReports(order, 0n, now)
}

/**
 * True once final reports say that the node was away for a whole day without interruption, up to the end of the order or until so recently
 * that nothing could say yet that it is back: then anybody may close the order for downtime. `now` is in Unix seconds.
 */
export function isLost(
  order: Pick<OrderTerms, 'downSince' | 'reportedUntil' | 'activateTime' | 'duration'>,
  now: number,
): boolean {
  const { downSince, reportedUntil } = order
  if (downSince === 0 || reportedUntil - downSince < LOST_AFTER_SECONDS) return false
  return now < reportedUntil + REPORT_FRESH_SECONDS || reportedUntil >= orderEnd(order)
}

/** What `closeForDowntime` does: the same as a cancel by the provider in the first second of its absence. */
function quoteLost(order: OrderTerms): CancelQuote {
  return split(order, dueWei(order, order.reportedUntil), restOfPromiseWei(order))
}

/** How a provider dropped an order silently: its start was missed, or final reports say that it was away for a day. */
export type Dropped = 'not_started' | 'away'

/**
 * Whether and how the provider has dropped an order at `now` (unix seconds). Then anyone can close it for its buyer, with `release` or
 * `closeForDowntime`.
 */
export function droppedBy(order: Order, now: number): Dropped | undefined {
  const standing = standingOf(order, now)
  if (standing === 'start_missed') return 'not_started'
  return (standing === 'active' || standing === 'expired') && isLost(order, now) ? 'away' : undefined
}

/** What closing an order does after its provider has dropped it, exact to the wei. */
export function quoteDropped(order: OrderTerms, dropped: Dropped): CancelQuote {
  return dropped === 'away' ? quoteLost(order) : split(order, 0n, startPenaltyWei(order))
}

/** What a cancel by the provider at `now` (before the end) would do. What it owes the buyer was locked in its pledge at the purchase. */
export function quoteProviderCancel(order: OrderTerms, now: number): CancelQuote {
  if (order.status === OrderStatus.Created) return split(order, 0n, startPenaltyWei(order))
  if (inProbation(order, now)) return split(order, dueWei(order, now), startPenaltyWei(order))
  if (isLost(order, now)) return quoteLost(order)
  const isExcused = order.downSeconds > excusedDowntime(now - order.activateTime)
  return splitByReports(order, isExcused ? 0n : restOfPromiseWei(order), now)
}

/**
 * The seconds of an order's downtime that are paid to its buyer once more, as of the newest report: what is neither within the allowance nor
 * in `announcedSeconds` of maintenance, at most the penalty, and never less than what was paid.
 */
export function paidTwiceSeconds(
  order: Pick<OrderTerms, 'creditedTwiceSeconds' | 'downSeconds' | 'reportedUntil' | 'activateTime' | 'penalty'>,
  announcedSeconds: number,
): number {
  const allowed = announcedSeconds + allowedDowntime(order.reportedUntil - order.activateTime)
  return Math.max(order.creditedTwiceSeconds, Math.min(order.downSeconds - allowed, order.penalty))
}

/**
 * `A(penalty)`: what is locked of the provider's pledge at the purchase, in wei. It pays for downtime beyond the allowance and for dropping
 * the order.
 */
export function promisedWei(order: Pick<OrderTerms, 'ratePerMonthWei' | 'penalty'>): bigint {
  return accruedWei(order.ratePerMonthWei, order.penalty)
}

/** `A(penalty) - A(creditedTwiceSeconds)`: what is still locked, and what dropping the order costs the provider, in wei. */
export function restOfPromiseWei(order: Pick<OrderTerms, 'ratePerMonthWei' | 'penalty' | 'creditedTwiceSeconds'>): bigint {
  return promisedWei(order) - accruedWei(order.ratePerMonthWei, order.creditedTwiceSeconds)
}

/** `A(1 h)`, or what is left of the promise: what a provider owes for an order that it never started or dropped before it was used, in wei. */
export function startPenaltyWei(order: Pick<OrderTerms, 'ratePerMonthWei' | 'penalty' | 'creditedTwiceSeconds'>): bigint {
  const [hour, rest] = [accruedWei(order.ratePerMonthWei, HOUR_SECONDS), restOfPromiseWei(order)]
  return hour < rest ? hour : rest
}

/** For either party's end of an order in use: hours that no report covers yet stay pending until one does. */
function splitByReports(order: OrderTerms, compensation: bigint, now: number): CancelQuote {
  const gross = dueWei(order, Math.max(settlementEdge(order, now), order.reportedUntil))
  return split(order, gross, compensation, dueWei(order, now) - gross)
}

function split(order: OrderTerms, gross: bigint, compensation: bigint, pending = 0n): CancelQuote {
  const commission = commissionWei(order.remunerationWei, gross, order.commissionBps)
  const toUser = order.totalValueWei - order.remunerationWei - gross - pending + compensation
  return { toUser, toProvider: gross - commission, commission, compensation, pending }
}

/** The money of an order at a moment, in wei. `spent + back` is what was paid in. */
export interface OrderMoney {
  paidWei: bigint
  /** What the provider has earned: paid out and due, commission included, and what is pending. */
  spentWei: bigint
  /** The part of `spentWei` that waits for reports after a cancel: it may still be refunded. */
  pendingWei: bigint
  /** What a cancel would refund now, or what the close refunded. */
  backWei: bigint
  /** The part of `backWei` that is due to credited downtime. */
  downtimeWei: bigint
  /** What the provider's pledge paid on top. */
  compensatedWei: bigint
  ratePerHourWei: bigint
}

/** `now` in unix seconds. Open orders follow the contract's formula, closed ones what the chain booked. */
export function orderMoney(order: Order, now: number): OrderMoney {
  const terms = orderTerms(order)
  const base = {
    paidWei: terms.totalValueWei,
    compensatedWei: order.compensatedWei,
    ratePerHourWei: accruedWei(terms.ratePerMonthWei, HOUR_SECONDS),
    downtimeWei: accruedWei(terms.ratePerMonthWei, order.downSeconds),
  }
  if (isTerminal(order.status)) {
    const pendingWei = order.remainWei
    return { ...base, spentWei: terms.remunerationWei + pendingWei, pendingWei, backWei: order.refundedWei }
  }
  const { toUser, compensation } = quoteUserCancel(terms, Math.min(now, orderEnd(terms)))
  const backWei = toUser - compensation
  return { ...base, spentWei: terms.totalValueWei - backWei, pendingWei: 0n, backWei }
}

/** What a settlement at `now` would book, before commission, in wei; 0 before the start. */
export function settleableWei(order: OrderTerms, now: number): bigint {
  if (order.activateTime === 0 || isTerminal(order.status)) return 0n
  return dueWei(order, settlementEdge(order, now))
}
