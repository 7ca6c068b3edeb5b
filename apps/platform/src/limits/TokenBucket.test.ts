import { expect, test } from 'vitest'
import { TokenBucket } from './TokenBucket.ts'

test('allows its burst at once, then refills steadily', () => {
  const bucket = new TokenBucket({ burst: 10, perSecond: 4 })
  // A whole number, so that the times between are exact.
  const start = Math.ceil(performance.now())
  expect(bucket.take(10, start)).toBe(true)
  expect(bucket.take(1, start + 125)).toBe(false)
  expect(bucket.take(1, start + 250)).toBe(true)
  expect(bucket.take(1, start + 250)).toBe(false)
  expect(bucket.take(8, start + 2_250)).toBe(true)
})

test('holds no more than its burst', () => {
  const bucket = new TokenBucket({ burst: 10, perSecond: 4 })
  const later = performance.now() + 3_600_000
  expect(bucket.take(11, later)).toBe(false)
  expect(bucket.take(10, later)).toBe(true)
})

test('keeps its tokens when there are too few', () => {
  const bucket = new TokenBucket({ burst: 10, perSecond: 4 })
  const start = performance.now()
  expect([bucket.take(7, start), bucket.take(4, start), bucket.take(3, start)]).toEqual([true, false, true])
})
