import { describe, expect, test } from 'vitest'
import { RateLimiter } from './RateLimiter.ts'

const RATE = { burst: 3, perMinute: 6 }

describe('a rate limiter', () => {
  test('gives each caller its burst at once, then reports the seconds to wait', () => {
    const limiter = new RateLimiter(1)
    const take = (caller: string, seconds: number) => limiter.take('sign', caller, RATE, seconds * 1000)
    expect([0, 0, 0, 0].map((at) => take('a', at))).toEqual([0, 0, 0, 10])
    expect([take('a', 4), take('a', 9.5), take('a', 9.999)]).toEqual([6, 1, 1])
    expect([take('a', 10), take('a', 10)]).toEqual([0, 10])
    expect(take('b', 10)).toBe(0)
  })

  test('keeps separate tokens for each name', () => {
    const limiter = new RateLimiter(1)
    const take = (name: string) => limiter.take(name, 'a', { burst: 1, perMinute: 1 }, 0)
    expect([take('sign'), take('sign'), take('read')]).toEqual([0, 60, 0])
  })

  test('refills up to the burst only', () => {
    const limiter = new RateLimiter(1)
    const take = (seconds: number) => limiter.take('sign', 'a', RATE, seconds * 1000)
    take(0)
    expect([3_600, 3_600, 3_600, 3_600].map(take)).toEqual([0, 0, 0, 10])
  })

  test('reports a wait of at least one second', () => {
    const limiter = new RateLimiter(1)
    const take = () => limiter.take('sign', 'a', { burst: 1, perMinute: 60_000 }, 0)
    expect([take(), take()]).toEqual([0, 1])
  })

  test('scales its rates', () => {
    const limiter = new RateLimiter(2)
    expect(Array.from({ length: 7 }, () => limiter.take('sign', 'a', RATE, 0))).toEqual([0, 0, 0, 0, 0, 0, 5])
  })

  test('limits nothing at a scale of 0', () => {
    const limiter = new RateLimiter(0)
    expect(Array.from({ length: 9 }, () => limiter.take('sign', 'a', RATE, 0))).toEqual(Array(9).fill(0))
  })

  test('evicts the least recent callers beyond 50,000', () => {
    const limiter = new RateLimiter(1)
    const take = (caller: number) => limiter.take('sign', String(caller), { burst: 1, perMinute: 1 }, 0)
    for (let caller = 0; caller < 50_000; caller += 1) take(caller)
    expect(take(0)).toBe(60)
    expect(take(50_000)).toBe(0)
    expect([take(0), take(2), take(50_000)]).toEqual([60, 60, 60])
    expect(take(1)).toBe(0)
  })
})
