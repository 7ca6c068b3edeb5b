import type { PledgePoint } from '@rackfair/sdk/http'

const SAMPLES = 121

export interface PledgeSeries {
  /** Unix seconds, evenly spaced, oldest first; the last is now. */
  times: number[]
  pledgedWei: bigint[]
  /** What of it stood behind live orders. */
  lockedWei: bigint[]
  /** Interest since the first pledge, whether or not it was withdrawn. */
  earnedWei: bigint[]
  withdrawnWei: bigint[]
}

/**
 * The history drawn over `from` to now. Interest grows evenly between two bookings: rate, locks and pool change only with one.
 * @param interestWei what the contract would pay out now; without it the last booking stands.
 */
export function pledgeSeries(
  points: readonly PledgePoint[],
  range: { from: number; now: number; interestWei?: bigint | undefined },
): PledgeSeries {
  const known = [...points]
  const last = known.at(-1)
  const earnedNow = last && range.interestWei !== undefined ? range.interestWei + last.withdrawnWei : 0n
  const isBeyond = last !== undefined && earnedNow > last.earnedWei
  // The chain's clock may be ahead of this machine's.
  const now = Math.max(range.now, (last?.time ?? 0) + (isBeyond ? 1 : 0))
  if (last && isBeyond) known.push({ ...last, time: now, earnedWei: earnedNow })
  const from = Math.min(range.from, now - SAMPLES)
  const series: PledgeSeries = { times: [], pledgedWei: [], lockedWei: [], earnedWei: [], withdrawnWei: [] }
  let at = -1
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const time = from + Math.round(((now - from) * sample) / (SAMPLES - 1))
    while ((known[at + 1]?.time ?? Number.POSITIVE_INFINITY) <= time) at += 1
    const [here, next] = [known[at], known[at + 1]]
    series.times.push(time)
    series.pledgedWei.push(here?.pledgedWei ?? 0n)
    series.lockedWei.push(here?.lockedWei ?? 0n)
    series.withdrawnWei.push(here?.withdrawnWei ?? 0n)
    const grown =
      here && next ? ((next.earnedWei - here.earnedWei) * BigInt(time - here.time)) / BigInt(next.time - here.time) : 0n
    series.earnedWei.push((here?.earnedWei ?? 0n) + grown)
  }
  return series
}
