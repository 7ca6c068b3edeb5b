import { expect, test } from 'vitest'
import { quoteChange } from './quoteChange.ts'

test('the same quote asks for nothing', () => {
  expect(quoteChange({ feeWei: 5n, rev: 1 }, { feeWei: 5n, rev: 1 })).toBeUndefined()
  expect(quoteChange({ feeWei: 5n }, { feeWei: 5n })).toBeUndefined()
})

test('a higher and a lower price are both shown', () => {
  expect(quoteChange({ feeWei: 5n, rev: 1 }, { feeWei: 6n, rev: 2 })).toBe('price')
  expect(quoteChange({ feeWei: 5n, rev: 1 }, { feeWei: 4n, rev: 2 })).toBe('price')
})

test('a changed machine at the same price is shown too', () =>
  expect(quoteChange({ feeWei: 5n, rev: 1 }, { feeWei: 5n, rev: 2 })).toBe('machine'))
