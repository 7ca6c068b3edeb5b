import { expect, test } from 'vitest'
import { changedConditions, ofTerm, quoteChange } from './quoteChange.ts'

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

test('tells of a changed price while the term is chosen that it is of', () => {
  const change = { kind: 'price', beforeWei: 5n, afterWei: 6n, seconds: 3600 } as const
  expect(ofTerm(change, 3600)).toBe(change)
  expect(ofTerm(change, 7200)).toBeUndefined()
  expect(ofTerm({ kind: 'sold' }, 7200)).toEqual({ kind: 'sold' })
})
