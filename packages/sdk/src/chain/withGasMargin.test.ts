import { expect, test } from 'vitest'
import { withGasMargin } from './withGasMargin.ts'

test('a call gets a quarter more gas than estimated, and enough for three new words of storage', () => {
  expect([withGasMargin(0n), withGasMargin(400_000n)]).toEqual([60_000n, 560_000n])
})
