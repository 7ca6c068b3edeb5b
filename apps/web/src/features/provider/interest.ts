import { MONTH_SECONDS } from '@rackfair/core'

const YEAR_SECONDS = 31_536_000n

/** What a pledge bears in a month at `ratePerYear` (1e18 = 100 %), while the pool of interest lasts; wei, rounded down. */
export function interestPerMonthWei(pledgedWei: bigint, ratePerYear: bigint): bigint {
  return (pledgedWei * ratePerYear * BigInt(MONTH_SECONDS)) / (YEAR_SECONDS * 10n ** 18n)
}

/** The yearly rate (1e18 = 100 %) as a share for display. */
export function yearlyShare(ratePerYear: bigint): number {
  return Number(ratePerYear / 10n ** 12n) / 1e6
}
