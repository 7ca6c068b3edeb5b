import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  agreedDown,
  createCalendar,
  epochsOf,
  epochsWithin,
  MAX_EPOCHS_PER_PERIOD,
  neededToContest,
  neededVotes,
  PRODUCTION_PACE,
} from './epoch.ts'

it('has epochs of five minutes and periods of eight hours, from Unix time 0', () => {
  const calendar = createCalendar(PRODUCTION_PACE)
  expect([0, 299, 300].map(calendar.epochAt)).toEqual([0, 0, 1])
  expect([95, 96].map(calendar.periodOf)).toEqual([0, 1])
  expect(calendar.periodAt(1_795_219_200)).toBe(62_334)
  expect([calendar.startOf(1), calendar.endOf(1), calendar.firstEpoch(1)]).toEqual([28_800, 57_600, 96])
  expect([calendar.windowSeconds, calendar.challengeSeconds]).toEqual([3_600, 14_400])
})

it('runs at the pace of the contract on the chain', () => {
  const calendar = createCalendar({ epochSeconds: 15, epochsPerPeriod: 16 })
  expect([calendar.epochAt(30), calendar.periodAt(240), calendar.endOf(0)]).toEqual([2, 1, 240])
  expect([calendar.windowSeconds, calendar.challengeSeconds]).toEqual([30, 120])
})

it('needs more than half of the assigned monitors to agree, and at least two', () => {
  expect([0, 1, 2, 3, 4, 5].map(neededVotes)).toEqual([2, 2, 2, 2, 3, 3])
})

it('needs more than a third of all monitors to contest, and at least two', () => {
  expect([0, 3, 5, 6, 8, 9, 64].map(neededToContest)).toEqual([2, 2, 2, 3, 3, 4, 22])
})

it('ignores bits beyond the epochs of a period', () => {
  const beyond = 1n << BigInt(MAX_EPOCHS_PER_PERIOD)
  expect(agreedDown([beyond | 1n, beyond | 1n], 2)).toBe(1n)
  expect(epochsOf(createCalendar(PRODUCTION_PACE), 0, beyond | 1n)).toEqual([0])
})

it.each([
  ['a whole period', 28_800, 57_600, (1n << 96n) - 1n],
  ['all but its first second', 28_801, 57_600, (1n << 96n) - 2n],
  ['all but its last second', 28_800, 57_599, (1n << 95n) - 1n],
  ['its first epoch', 0, 29_100, 1n],
  ['its last epoch', 57_300, 99_999, 1n << 95n],
  ['nothing, ended as it began', 0, 28_800, 0n],
  ['nothing, ended long before it', 0, 100, 0n],
  ['nothing, begun after it', 57_600, 99_999, 0n],
  ['nothing, less than an epoch', 28_801, 29_399, 0n],
])('counts the epochs of an order that had %s', (_, from, until, epochs) => {
  expect(epochsWithin(createCalendar(PRODUCTION_PACE), 1, from, until)).toBe(epochs)
})

it('no minority changes the result', () => {
  const bits = fc.bigInt({ min: 0n, max: (1n << BigInt(MAX_EPOCHS_PER_PERIOD)) - 1n })
  fc.assert(
    fc.property(bits, fc.array(bits, { minLength: 2, maxLength: 2 }), (truth, lies) => {
      expect(agreedDown([truth, truth, truth, ...lies], neededVotes(5))).toBe(truth)
    }),
  )
})
