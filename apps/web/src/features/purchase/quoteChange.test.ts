import { expect, test } from 'vitest'
import { quoteChange } from './quoteChange.ts'

test.each([
  [{ feeWei: 5n, rev: 1 }, { feeWei: 5n, rev: 1 }, undefined],
  [{ feeWei: 5n, rev: 1 }, { feeWei: 6n, rev: 2 }, 'price'],
  [{ feeWei: 5n, rev: 1 }, { feeWei: 4n, rev: 2 }, 'price'],
  [{ feeWei: 5n, rev: 1 }, { feeWei: 5n, rev: 2 }, 'machine'],
  [{ feeWei: 5n }, { feeWei: 5n }, undefined],
])('%j, then %j: %s', (seen, fresh, change) => expect(quoteChange(seen, fresh)).toBe(change))
