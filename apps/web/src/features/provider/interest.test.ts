import { expect, it } from 'vitest'
import { interestPerMonthWei } from './interest.ts'

it('is 30 of 365 days of the yearly rate', () => {
  expect(interestPerMonthWei(365n * 10n ** 18n, 10n ** 17n)).toBe(3n * 10n ** 18n)
  expect(interestPerMonthWei(0n, 10n ** 17n)).toBe(0n)
})
