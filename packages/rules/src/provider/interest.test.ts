import { expect, test } from 'vitest'
import { interestEarnedWei } from './interest.ts'

test('charges a locked pledge the growth of the index, rounded down', () => {
  const one = 10n ** 27n
  expect(interestEarnedWei(100n, one, 3n * one)).toBe(200n)
  expect(interestEarnedWei(100n, 2n * one, 2n * one)).toBe(0n)
  expect(interestEarnedWei(3n, 0n, one / 2n)).toBe(1n)
})
