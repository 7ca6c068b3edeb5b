import { expect, test } from 'vitest'
import { changedConditions, quoteChange } from './quoteChange.ts'

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

test('changed conditions at the same price are shown, each by its name', () => {
  const conditions = { probation: 600, holdback: 86_400, penalty: 86_400, commissionBps: 0 }
  const seen = { feeWei: 5n, rev: 1, conditions }
  expect(quoteChange(seen, { ...seen, conditions: { ...conditions } })).toBeUndefined()
  const fresh = { ...seen, conditions: { ...conditions, penalty: 3600, commissionBps: 250 } }
  expect(quoteChange(seen, fresh)).toBe('conditions')
  expect(changedConditions(seen, fresh)).toEqual(['penalty', 'commissionBps'])
})
