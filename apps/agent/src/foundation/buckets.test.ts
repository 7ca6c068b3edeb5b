import { expect, it } from 'vitest'
import { createTokenBuckets } from './buckets.ts'

it('allows a burst, then one per refill, and no more than a burst after a long pause', () => {
  let now = 0
  const buckets = createTokenBuckets({ burst: 2, refillMs: 100, now: () => now })
  const takenAt = (time: number) => {
    now = time
    return buckets.take('a')
  }
  expect([0, 0, 0, 99, 100, 101, 200].map(takenAt)).toEqual([true, true, false, false, true, false, true])
  expect([9_000, 9_000, 9_000].map(takenAt)).toEqual([true, true, false])
})

it('gives a token back, and no more than a burst', () => {
  const buckets = createTokenBuckets({ burst: 2, refillMs: 1000, now: () => 0 })
  buckets.giveBack('a')
  expect([1, 2, 3].map(() => buckets.take('a'))).toEqual([true, true, false])
  for (const _ of [1, 2, 3]) buckets.giveBack('a')
  expect([1, 2, 3].map(() => buckets.take('a'))).toEqual([true, true, false])
})

it('evicts the least recently used key at its limit', () => {
  const buckets = createTokenBuckets({ burst: 1, refillMs: 1000, maxKeys: 2, now: () => 0 })
  expect(['a', 'b', 'a', 'b'].map((key) => buckets.take(key))).toEqual([true, true, false, false])
  // `a` is the least recently used, so `c` replaces it.
  expect(['c', 'b', 'a'].map((key) => buckets.take(key))).toEqual([true, false, true])
})

it('evicts nothing when a known key is used again', () => {
  const buckets = createTokenBuckets({ burst: 1, refillMs: 1000, maxKeys: 2, now: () => 0 })
  expect(['a', 'b', 'b', 'a'].map((key) => buckets.take(key))).toEqual([true, true, false, false])
})

it('uses its own clock unless one is given', () => {
  const buckets = createTokenBuckets({ burst: 1, refillMs: 3_600_000 })
  expect([buckets.take('a'), buckets.take('a')]).toEqual([true, false])
})
