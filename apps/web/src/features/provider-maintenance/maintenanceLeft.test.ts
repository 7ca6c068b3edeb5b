import { PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { expect, it } from 'vitest'
import { leastLeft, leftInMonth, takenSeconds } from './maintenanceLeft.ts'

const HOUR = 3600
const MONTH = 30 * 24 * HOUR

it('counts the maintenance left to a machine in the month of a given time', () => {
  const used = [
    { nodeId: 1, from: 5 * MONTH, seconds: 2 * HOUR, pieces: 1 },
    { nodeId: 2, from: 5 * MONTH, seconds: 3 * HOUR, pieces: 8 },
    { nodeId: 1, from: 6 * MONTH, seconds: 8 * HOUR, pieces: 1 },
  ]
  const { all, until, of } = leftInMonth(PRODUCTION_PACE, used, 5 * MONTH + 7)
  expect([all, until]).toEqual([{ seconds: 8 * HOUR, pieces: 8 }, 6 * MONTH])
  expect([1, 2, 3].map(of)).toEqual([{ seconds: 6 * HOUR, pieces: 7 }, { seconds: 5 * HOUR, pieces: 0 }, all])
  expect(leastLeft([of(1), of(3)], all)).toBe(6 * HOUR)
  expect(leastLeft([of(1), of(2)], all)).toBe(0)
  expect(leastLeft([], all)).toBe(8 * HOUR)
  expect(leftInMonth(PRODUCTION_PACE, used, 6 * MONTH).of(1).seconds).toBe(0)
})

it('counts whole epochs', () => {
  expect(takenSeconds(PRODUCTION_PACE, { from: 299, until: 301 })).toBe(600)
  expect(takenSeconds(PRODUCTION_PACE, { from: 300, until: 600 })).toBe(300)
})
