import { expect, it } from 'vitest'
import { interestPerMonthWei, yearlyShare } from './interest.ts'

const usd = 10n ** 18n

it('is 30 of 365 days of the yearly rate, as long as the pool lasts', () => {
  expect(interestPerMonthWei({ pledgedWei: 365n * usd, ratePerYear: usd / 10n, poolWei: 100n * usd })).toBe(3n * usd)
  expect(interestPerMonthWei({ pledgedWei: 365n * usd, ratePerYear: usd / 10n, poolWei: usd })).toBe(usd)
  expect(interestPerMonthWei({ pledgedWei: 0n, ratePerYear: usd / 10n, poolWei: usd })).toBe(0n)
  expect(yearlyShare(usd / 20n)).toBe(0.05)
})
