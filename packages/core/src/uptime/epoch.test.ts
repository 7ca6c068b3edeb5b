import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agreedDown, createCalendar, MAX_EPOCHS_PER_PERIOD, neededVotes, PRODUCTION_PACE } from './epoch.ts'

it('counts epochs of five minutes and periods of eight hours from Unix time 0', () => {
  const calendar = createCalendar(PRODUCTION_PACE)
  expect([0, 299, 300].map(calendar.epochAt)).toEqual([0, 0, 1])
  expect([95, 96].map(calendar.periodOf)).toEqual([0, 1])
  expect(calendar.periodAt(1_795_219_200)).toBe(62_334)
  expect([calendar.startOf(1), calendar.endOf(1), calendar.firstEpoch(1)]).toEqual([28_800, 57_600, 96])
  expect([calendar.windowSeconds, calendar.challengeSeconds]).toEqual([3_600, 14_400])
})

it('counts as fast as the contract of the chain does', () => {
  const calendar = createCalendar({ epochSeconds: 15, epochsPerPeriod: 16 })
  expect([calendar.epochAt(30), calendar.periodAt(240), calendar.endOf(0)]).toEqual([2, 1, 240])
  expect([calendar.windowSeconds, calendar.challengeSeconds]).toEqual([30, 120])
})

it('asks for more than half of the assigned, and two at least', () => {
  expect([0, 1, 2, 3, 4, 5].map(neededVotes)).toEqual([2, 2, 2, 2, 3, 3])
})

it('is changed by no minority, whatever it says', () => {
  const bits = fc.bigInt({ min: 0n, max: (1n << BigInt(MAX_EPOCHS_PER_PERIOD)) - 1n })
  fc.assert(
    fc.property(bits, fc.array(bits, { minLength: 2, maxLength: 2 }), (truth, lies) => {
      expect(agreedDown([truth, truth, truth, ...lies], neededVotes(5))).toBe(truth)
    }),
  )
})
