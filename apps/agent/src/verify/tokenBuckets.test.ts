import { expect, it } from 'vitest'
import { createTokenBuckets } from './tokenBuckets.ts'

it('lets a key do so much at once, then one thing for each refill, and no more after a long rest', () => {
  let now = 0
  const buckets = createTokenBuckets({ burst: 2, refillMs: 100, now: () => now })
  const takenAt = (time: number) => {
    now = time
    return buckets.take('a')
  }
  expect([0, 0, 0, 99, 100, 101, 200].map(takenAt)).toEqual([true, true, false, false, true, false, true])
  expect([9_000, 9_000, 9_000].map(takenAt)).toEqual([true, true, false])
})

it('forgets the key that was asked for longest ago, once it has as many as it may keep', () => {
  const buckets = createTokenBuckets({ burst: 1, refillMs: 1000, maxKeys: 2, now: () => 0 })
  expect(['a', 'b', 'a', 'b'].map((key) => buckets.take(key))).toEqual([true, true, false, false])
  // `a` is the least recently used, so `c` replaces it.
  expect(['c', 'b', 'a'].map((key) => buckets.take(key))).toEqual([true, false, true])
})

it('forgets no key when one that it keeps is asked for again', () => {
  const buckets = createTokenBuckets({ burst: 1, refillMs: 1000, maxKeys: 2, now: () => 0 })
  expect(['a', 'b', 'b', 'a'].map((key) => buckets.take(key))).toEqual([true, true, false, false])
})

it('measures time on its own unless a clock is given', () => {
  const buckets = createTokenBuckets({ burst: 1, refillMs: 3_600_000 })
  expect([buckets.take('a'), buckets.take('a')]).toEqual([true, false])
})
