import { PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { expect, it } from 'vitest'
import { leastLeft, leftAround, takenSeconds } from './maintenanceLeft.ts'

const HOUR = 3600
const MONTH = 30 * 24 * HOUR

const DAY = 24 * HOUR

it('counts the maintenance left to a machine in every 30 days around a time', () => {
  const EDGE = 6 * MONTH
  const used = [
    { nodeId: 1, from: EDGE - 10 * DAY, seconds: 2 * HOUR, pieces: 1 },
    { nodeId: 1, from: EDGE + 15 * DAY, seconds: 5 * HOUR, pieces: 1 },
    { nodeId: 2, from: EDGE - DAY, seconds: 3 * HOUR, pieces: 8 },
  ]
  const leftAt = (time: number) => [1, 2, 3].map((nodeId) => leftAround(PRODUCTION_PACE, used, time).of(nodeId))
  const { all, of } = leftAround(PRODUCTION_PACE, used, EDGE - HOUR)
  expect(all).toEqual({ seconds: 8 * HOUR, pieces: 8 })
  // Both announcements of the first lie in some 30 days with this time.
  expect([1, 2, 3].map(of)).toEqual([{ seconds: HOUR, pieces: 7 }, { seconds: 5 * HOUR, pieces: 0 }, all])
  // The month is another, the 30 days are not.
  expect(leftAt(EDGE)).toEqual([{ seconds: HOUR, pieces: 7 }, { seconds: 5 * HOUR, pieces: 8 }, all])
  // 30 days after the first began.
  expect(leftAt(EDGE + 20 * DAY)[0]).toEqual({ seconds: 3 * HOUR, pieces: 7 })
  expect(leftAt(EDGE + 46 * DAY)[0]).toEqual(all)
  expect(leastLeft([of(1), of(3)], all)).toBe(HOUR)
  expect(leastLeft([of(1), of(2)], all)).toBe(0)
  expect(leastLeft([], all)).toBe(8 * HOUR)
})

it('counts whole epochs', () => {
  expect(takenSeconds(PRODUCTION_PACE, { from: 299, until: 301 })).toBe(600)
  expect(takenSeconds(PRODUCTION_PACE, { from: 300, until: 600 })).toBe(300)
})
