import { MONTH_SECONDS } from '@rackfair/rules/duration'

const DAY_SECONDS = 86_400n
const MAX_RUNWAY_DAYS = 36_500n
const YEAR_SECONDS = 31_536_000n

/** What a locked pledge bears in a month at `ratePerYear` (1e18 = 100 %), at most what the pool holds; wei, rounded down. */
export function interestPerMonthWei(facts: { lockedWei: bigint; ratePerYear: bigint; poolWei: bigint }): bigint {
  const wei = (facts.lockedWei * facts.ratePerYear * BigInt(MONTH_SECONDS)) / (YEAR_SECONDS * 10n ** 18n)
  return wei < facts.poolWei ? wei : facts.poolWei
}

/** The yearly rate (1e18 = 100 %) as a share for display. */
export function yearlyShare(ratePerYear: bigint): number {
  return Number(ratePerYear / 10n ** 12n) / 1e6
}

/** For how many whole days the pool lasts, at most a hundred years; undefined while nothing is paid out of it. */
export function runwayDays(facts: { runwaySeconds: bigint; poolWei: bigint }): number | undefined {
  const days = facts.runwaySeconds / DAY_SECONDS
  if (facts.poolWei === 0n || days > MAX_RUNWAY_DAYS) return undefined
  return Number(days)
}
