import { expect, it } from 'vitest'
import { pledgeSeries } from './pledgeSeries.ts'

const usd = 10n ** 18n
const point = (time: number, pledged: bigint, earned: bigint, withdrawn = 0n) => ({
  time,
  pledgedWei: pledged * usd,
  lockedWei: (pledged * usd) / 2n,
  earnedWei: earned * usd,
  withdrawnWei: withdrawn * usd,
})

it('starts at zero before the first pledge', () => {
  const { times, pledgedWei, lockedWei, earnedWei } = pledgeSeries([point(1_600, 5n, 0n), point(1_900, 2n, 0n)], {
    from: 1_000,
    now: 2_200,
  })
  expect([times.length, times[0], times.at(-1)]).toEqual([121, 1_000, 2_200])
  expect([pledgedWei[0], pledgedWei[59], pledgedWei[60], pledgedWei[89], pledgedWei[90], pledgedWei.at(-1)]).toEqual(
    [0n, 0n, 5n, 5n, 2n, 2n].map((amount) => amount * usd),
  )
  expect([lockedWei[59], lockedWei[60], lockedWei.at(-1)]).toEqual([0n, (5n * usd) / 2n, usd])
  expect(new Set(earnedWei)).toEqual(new Set([0n]))
})

it('grows evenly between bookings, and ends at what the contract would pay out now', () => {
  const points = [point(1_000, 5n, 0n), point(1_600, 5n, 6n, 6n)]
  const { earnedWei, withdrawnWei } = pledgeSeries(points, { from: 1_000, now: 2_200, interestWei: 4n * usd })
  expect([earnedWei[0], earnedWei[30], earnedWei[60], earnedWei[90], earnedWei.at(-1)]).toEqual(
    [0n, 3n, 6n, 8n, 10n].map((amount) => amount * usd),
  )
  expect([withdrawnWei[59], withdrawnWei[60]]).toEqual([0n, 6n * usd])
})

it('draws a chain clock that is ahead, and a pledge made in this second', () => {
  const { times, pledgedWei } = pledgeSeries([point(5_000, 3n, 0n)], { from: 5_000, now: 1_000, interestWei: 0n })
  expect(times.at(-1)).toBe(5_000)
  expect(pledgedWei.at(-1)).toBe(3n * usd)
  expect(new Set(times).size).toBe(times.length)
  const grown = pledgeSeries([point(5_000, 3n, 0n)], { from: 5_000, now: 1_000, interestWei: usd })
  expect([grown.times.at(-1), grown.earnedWei.at(-2), grown.earnedWei.at(-1)]).toEqual([5_001, 0n, usd])
})
