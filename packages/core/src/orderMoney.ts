import { MONTH_SECONDS } from './duration.ts'
import { OrderStatus } from './orderStatus.ts'
import { accruedWei, commissionWei } from './pricing.ts'

/** The part of an order that decides about its money. Amounts in wei, times in unix seconds, lengths in seconds. */
export interface OrderTerms {
  status: number
  rate: bigint
  totalValue: bigint
  remuneration: bigint
  activateTime: number
  duration: number
  /** Seconds of downtime credited so far. */
  down: number
  /** Everything earlier than `now - holdback` is final. */
  holdback: number
  /** A provider that cancels pays the price of this many seconds. */
  penalty: number
  probation: number
  userConfirm: boolean
  feeBps: number
}

/** How the money of an order is split by closing it, in wei. `toProvider` is after commission. */
export interface CancelQuote {
  toUser: bigint
  toProvider: bigint
  commission: bigint
  /** What the provider's pledge adds for the buyer; part of `toUser`. */
  compensation: bigint
}

/** When the order ends. Only meaningful once it is activated. */
export function orderEnd(order: Pick<OrderTerms, 'activateTime' | 'duration'>): number {
  return order.activateTime + order.duration
}

/** True while the buyer may leave for the full price: activated, inside probation, not confirmed. */
export function inProbation(order: OrderTerms, now: number): boolean {
  return order.status === OrderStatus.Active && !order.userConfirm && now < order.activateTime + order.probation
}

/** `due(T) = max(0, A(max(0, T - activateTime - down)) - remuneration)`: earned by `T` and not yet paid, in wei. */
export function dueWei(order: OrderTerms, atSeconds: number): bigint {
  const earned = accruedWei(order.rate, BigInt(atSeconds - order.activateTime - order.down))
  return earned > order.remuneration ? earned - order.remuneration : 0n
}

/** The moment up to which a settlement pays: `clamp(now - holdback, activateTime, end)`. */
export function settlementEdge(order: OrderTerms, now: number): number {
  return Math.max(order.activateTime, Math.min(now - order.holdback, orderEnd(order)))
}

/**
 * The downtime an order carries after a statement of `totalSeconds` as of `asOf`. The order must already be settled to its edge.
 * Paid seconds are the floor: `max(down, min(total, asOf - activateTime - ceil(remuneration * MONTH / rate)))`.
 */
export function downtimeAfterStatement(order: OrderTerms, totalSeconds: number, asOf: number): number {
  const paidSeconds = (order.remuneration * BigInt(MONTH_SECONDS) + order.rate - 1n) / order.rate
  const reachable = asOf - order.activateTime - Number(paidSeconds)
  return Math.max(order.down, Math.min(totalSeconds, reachable))
}

/** What a cancel by the user at `now` would do, to the wei. `deployed` is the node's avail flag. */
export function quoteUserCancel(order: OrderTerms, now: number, deployed: boolean): CancelQuote {
  const remain = order.totalValue - order.remuneration
  const free = order.status === OrderStatus.Created || (inProbation(order, now) && !deployed)
  if (free) return { toUser: remain, toProvider: 0n, commission: 0n, compensation: 0n }
  return split(order, dueWei(order, Math.min(now, orderEnd(order))), 0n)
}

/** What a cancel by the provider at `now` (before the end) would do; `pledgeWei` is what its pledge holds. */
export function quoteProviderCancel(order: OrderTerms, now: number, pledgeWei: bigint): CancelQuote {
  const remain = order.totalValue - order.remuneration
  if (order.status === OrderStatus.Created || inProbation(order, now)) {
    return { toUser: remain, toProvider: 0n, commission: 0n, compensation: 0n }
  }
  const penalty = accruedWei(order.rate, BigInt(order.penalty))
  const fromPledge = penalty < pledgeWei ? penalty : pledgeWei
  const due = dueWei(order, now)
  const rest = penalty - fromPledge
  return split(order, due - (rest < due ? rest : due), fromPledge)
}

function split(order: OrderTerms, gross: bigint, compensation: bigint): CancelQuote {
  const commission = commissionWei(order.remuneration, gross, order.feeBps)
  const toUser = order.totalValue - order.remuneration - gross + compensation
  return { toUser, toProvider: gross - commission, commission, compensation }
}
