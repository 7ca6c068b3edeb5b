import { expect, test } from 'vitest'
import { priceLines } from './priceLines.ts'
import { orderFeeWei, ratePerMonthWei } from './pricing.ts'

const prices = {
  pCPU: 750_000_000_000_000_000n,
  pGPU: 133n * 10n ** 18n,
  pMEM: 125_000_000_000_000_000n,
  pDISK: 6_000_000_000_000_000n,
}

test('the lines of three months add up to the fee', () => {
  const resources = { nCPU: 32, nGPU: 2, nMEM: 128, nDISK: 2000 }
  const lines = priceLines(resources, prices, 3)
  expect(lines.map((line) => [line.kind, line.totalWei / 10n ** 18n])).toEqual([
    ['gpu', 798n],
    ['cpu', 72n],
    ['memory', 48n],
    ['storage', 36n],
  ])
  const sum = lines.reduce((total, line) => total + line.totalWei, 0n)
  expect(sum).toBe(orderFeeWei(ratePerMonthWei(resources, prices), 3 * 2_592_000))
})

test('omits resources that the machine does not have, and prices storage per TB', () => {
  const lines = priceLines({ nCPU: 1, nGPU: 0, nMEM: 0, nDISK: 1500 }, prices, 1)
  expect(lines.map((line) => line.kind)).toEqual(['cpu', 'storage'])
  expect(lines[1]?.unitWei).toBe(6n * 10n ** 18n)
})
