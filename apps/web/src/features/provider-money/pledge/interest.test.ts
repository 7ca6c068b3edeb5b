import { expect, it } from 'vitest'
import { interestPerMonthWei, runwayDays, yearlyShare } from './interest.ts'

const usd = 10n ** 18n

it('is 30/365 of the yearly rate, as long as the pool lasts', () => {
  expect(interestPerMonthWei({ lockedWei: 365n * usd, ratePerYear: usd / 10n, poolWei: 100n * usd })).toBe(3n * usd)
  expect(interestPerMonthWei({ lockedWei: 365n * usd, ratePerYear: usd / 10n, poolWei: usd })).toBe(usd)
  expect(interestPerMonthWei({ lockedWei: 0n, ratePerYear: usd / 10n, poolWei: usd })).toBe(0n)
  expect(yearlyShare(usd / 20n)).toBe(0.05)
})

it('counts whole days of the pool, and none while nothing is paid out of it', () => {
  expect(runwayDays({ runwaySeconds: 2n * 86_400n - 1n, poolWei: usd })).toBe(1)
  expect(runwayDays({ runwaySeconds: 2n ** 256n - 1n, poolWei: usd })).toBeUndefined()
  expect(runwayDays({ runwaySeconds: 0n, poolWei: 0n })).toBeUndefined()
})
