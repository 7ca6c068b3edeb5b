import { expect, test } from 'vitest'
import { withGasMargin } from './withGasMargin.ts'

test('adds a quarter to the gas estimate, and enough for three new storage slots', () => {
  expect([withGasMargin(0n), withGasMargin(400_000n)]).toEqual([60_000n, 560_000n])
})
