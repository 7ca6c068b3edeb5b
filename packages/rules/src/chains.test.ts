import { expect, test } from 'vitest'
import { isMarketChain } from './chains.ts'

test.each([
  [985, true],
  [1985, true],
  [2985, true],
  [1, false],
  [0, false],
  [Number.NaN, false],
])('the market runs on chain %d: %s', (chainId, runs) => expect(isMarketChain(chainId)).toBe(runs))
