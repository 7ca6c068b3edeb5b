/** A month is 30 days. Every price is per month of this many seconds. */
export const MONTH_SECONDS = 2_592_000
export const MIN_MONTHS = 1
export const MAX_MONTHS = 120
export const HOUR_SECONDS = 3_600
/** An order that is not activated within this time can be released by anyone, with a full refund. */
export const START_SECONDS = 86_400
/** A provider that is away for this long without interruption has dropped its order. */
export const LOST_AFTER_SECONDS = 86_400
/**
 * Downtime within one month of an order that is merely unpaid: 0.5 %. Every second beyond is also paid to the buyer out of the provider's
 * pledge.
 */
export const ALLOWED_DOWNTIME_SECONDS = MONTH_SECONDS / 200
/** Beyond this much credited downtime, half a week, a provider may drop an order without a penalty. */
export const EXCUSED_DOWNTIME_SECONDS = 302_400

/** Converts whole months to the seconds used on the wire and the chain. Callers check the bounds with `isDurationMonths`. */
export function monthsToSeconds(months: number): number {
  return months * MONTH_SECONDS
}

/** True for a whole number from 1 to 120. */
export function isDurationMonths(months: number): boolean {
  return Number.isInteger(months) && months >= MIN_MONTHS && months <= MAX_MONTHS
}
