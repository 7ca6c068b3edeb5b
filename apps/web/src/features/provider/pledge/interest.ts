import { MONTH_SECONDS } from '@rackfair/core'

const YEAR_SECONDS = 31_536_000n

/** What a pledge bears in a month at `ratePerYear` (1e18 = 100 %), at most what the pool holds; wei, rounded down. */
export function interestPerMonthWei(facts: { pledgedWei: bigint; ratePerYear: bigint; poolWei: bigint }): bigint {
  const wei = (facts.pledgedWei * facts.ratePerYear * BigInt(MONTH_SECONDS)) / (YEAR_SECONDS * 10n ** 18n)
  return wei < facts.poolWei ? wei : facts.poolWei
}

/** The yearly rate (1e18 = 100 %) as a share for display. */
export function yearlyShare(ratePerYear: bigint): number {
  return Number(ratePerYear / 10n ** 12n) / 1e6
}
