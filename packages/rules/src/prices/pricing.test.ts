import { expect, test } from 'vitest'
import { MONTH_SECONDS } from '../duration.ts'
import { accruedWei, commissionWei, extensionFeeWei, orderFeeWei, pricePerSecondWei, ratePerMonthWei } from './pricing.ts'

test('prices a month at its rate, no time at nothing, and rounds a part down', () => {
  const rate = ratePerMonthWei({ nCPU: 2, nGPU: 3, nMEM: 5, nDISK: 7 }, { pCPU: 10n, pGPU: 100n, pMEM: 1000n, pDISK: 10_000n })
  expect(rate).toBe(75_320n)
  expect([-1n, 0n, 1n, BigInt(MONTH_SECONDS) - 1n, BigInt(MONTH_SECONDS)].map((seconds) => accruedWei(rate, seconds))).toEqual([
    0n,
    0n,
    0n,
    75_319n,
    75_320n,
  ])
})

test.each([-1n, -1, -MONTH_SECONDS, -BigInt(MONTH_SECONDS)])('prices %d seconds at nothing', (seconds) =>
  expect(accruedWei(75_320n * 10n ** 18n, seconds)).toBe(0n),
)

test('has the same sum however extensions and payments are split', () => {
  expect(orderFeeWei(7n, 1000) + extensionFeeWei(7n, 1000, 999_999)).toBe(orderFeeWei(7n, 1_000_999))
  expect(commissionWei(0n, 3333n, 250) + commissionWei(3333n, 6667n, 250)).toBe(250n)
})

test('prices a second as a part of a month, rounded down', () => {
  expect(pricePerSecondWei(2n * BigInt(MONTH_SECONDS) - 1n)).toBe(1n)
})
