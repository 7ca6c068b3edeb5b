import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agreedDown, EPOCHS_PER_PERIOD, epochAt, neededVotes, periodOf } from './epoch.ts'

it('counts epochs of five minutes and periods of eight hours from Unix time 0', () => {
  expect([epochAt(0), epochAt(299), epochAt(300)]).toEqual([0, 0, 1])
  expect([periodOf(95), periodOf(96)]).toEqual([0, 1])
  expect(periodOf(epochAt(1_795_219_200))).toBe(62_334)
})

it('asks for more than half of the assigned, and two at least', () => {
  expect([0, 1, 2, 3, 4, 5].map(neededVotes)).toEqual([2, 2, 2, 2, 3, 3])
})

it('is changed by no minority, whatever it says', () => {
  const bits = fc.bigInt({ min: 0n, max: (1n << BigInt(EPOCHS_PER_PERIOD)) - 1n })
  fc.assert(
    fc.property(bits, fc.array(bits, { minLength: 2, maxLength: 2 }), (truth, lies) => {
      expect(agreedDown([truth, truth, truth, ...lies], neededVotes(5))).toBe(truth)
    }),
  )
})
