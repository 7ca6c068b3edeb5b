import { expect, test } from 'vitest'
import { changedConditions, quoteChange } from './quoteChange.ts'

test('ignores an unchanged quote', () => {
  expect(quoteChange({ feeWei: 5n, rev: 1 }, { feeWei: 5n, rev: 1 })).toBeUndefined()
  expect(quoteChange({ feeWei: 5n }, { feeWei: 5n })).toBeUndefined()
})

test('shows a higher and a lower price', () => {
  expect(quoteChange({ feeWei: 5n, rev: 1 }, { feeWei: 6n, rev: 2 })).toBe('price')
  expect(quoteChange({ feeWei: 5n, rev: 1 }, { feeWei: 4n, rev: 2 })).toBe('price')
})

test('shows a changed machine at the same price', () =>
  expect(quoteChange({ feeWei: 5n, rev: 1 }, { feeWei: 5n, rev: 2 })).toBe('machine'))

test('shows changed terms at the same price by name', () => {
  const conditions = { probation: 600, holdback: 86_400, penalty: 86_400, commissionBps: 0 }
  const seen = { feeWei: 5n, rev: 1, conditions }
  expect(quoteChange(seen, { ...seen, conditions: { ...conditions } })).toBeUndefined()
  const fresh = { ...seen, conditions: { ...conditions, penalty: 3600, commissionBps: 250 } }
  expect(quoteChange(seen, fresh)).toBe('conditions')
  expect(changedConditions(seen, fresh)).toEqual(['penalty', 'commissionBps'])
})
