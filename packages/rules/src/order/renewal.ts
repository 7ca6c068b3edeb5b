import { DAY_SECONDS, HOUR_SECONDS, MIN_ORDER_SECONDS, MONTH_SECONDS } from '../duration.ts'
import { extensionFeeWei } from '../prices/pricing.ts'

/** How an order of a purse is kept alive without its owner. */
export interface StandingOrder {
  /** The most that it may cost per month of 30 days, in wei. */
  maxMonthWei: bigint
  /** The most that whoever carries out a renewal is paid for its gas, in wei. It is 0 when an order can first be renewed, and grows. */
  maxTipWei: bigint
  /** Unix seconds. */
  until: number
  /** Hours of each extension. */
  stepHours: number
}

/** What a renewal depends on. */
export interface Renewable {
  /** Unix seconds. */
  activateTime: number
  /** Seconds. */
  duration: number
  ratePerMonthWei: bigint
}

/** How long before its end an order is renewed at the earliest, in seconds. */
const MAX_WINDOW = DAY_SECONDS

/**
 * The next renewal of an order, as `Purse.renew` carries it out; undefined where there is none: the order is not kept, it lasts long enough,
 * costs more than its owner pays, or less than an hour is missing, for which no order is extended.
 *
 * @example const due = nextRenewal(order, standing)?.opensAt <= now
 */
export function nextRenewal(
  { activateTime, duration, ratePerMonthWei }: Renewable,
  standing: StandingOrder | undefined,
): { opensAt: number; seconds: number; feeWei: bigint } | undefined {
  if (standing === undefined || ratePerMonthWei > standing.maxMonthWei) return undefined
  const end = activateTime + duration
  const step = standing.stepHours * HOUR_SECONDS
  const seconds = Math.min(step, standing.until - end)
  if (seconds < MIN_ORDER_SECONDS) return undefined
  const opensAt = end - Math.min(Math.floor(step / 4), MAX_WINDOW)
  return { opensAt, seconds, feeWei: extensionFeeWei(ratePerMonthWei, duration, seconds) }
}

/**
 * When an order ends if its owner does nothing, in Unix seconds: its renewals go on until the owner's time is over, the Credit of the purse
 * does not pay for another step of all that it keeps, or the price is above the owner's limit. Tips are left out: they are small, and may be 0.
 *
 * @param purse.ratePerMonthWei of all orders that the purse keeps alive, together.
 */
export function keptUntil(
  order: Renewable,
  standing: StandingOrder | undefined,
  purse: { creditWei: bigint; ratePerMonthWei: bigint },
): number {
  const end = order.activateTime + order.duration
  const next = nextRenewal(order, standing)
  if (standing === undefined || next === undefined) return end
  const missing = standing.until - end
  const rate = purse.ratePerMonthWei > 0n ? purse.ratePerMonthWei : 1n
  const paid = (purse.creditWei * BigInt(MONTH_SECONDS)) / rate
  if (paid >= BigInt(missing)) return standing.until
  return end + Math.floor(Number(paid) / next.seconds) * next.seconds
}
