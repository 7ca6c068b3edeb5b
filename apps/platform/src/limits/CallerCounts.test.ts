import { describe, expect, test } from 'vitest'
import { CallerCounts } from './CallerCounts.ts'

describe('what callers have open', () => {
  test('is limited per caller', () => {
    const counts = new CallerCounts({ perCaller: 2, total: 9 })
    const release = counts.take('a')
    expect(counts.take('a')).toBeInstanceOf(Function)
    expect(counts.take('a')).toBe('per_caller')
    expect(counts.take('b')).toBeInstanceOf(Function)
    give(release)
    expect(counts.take('a')).toBeInstanceOf(Function)
    expect(counts.take('a')).toBe('per_caller')
  })

  test('is limited in total', () => {
    const counts = new CallerCounts({ perCaller: 2, total: 2 })
    const release = counts.take('a')
    expect(counts.take('b')).toBeInstanceOf(Function)
    expect(counts.take('c')).toBe('total')
    give(release)
    expect(counts.take('c')).toBeInstanceOf(Function)
    expect(counts.take('d')).toBe('total')
  })

  test('is not counted when it is refused', () => {
    const counts = new CallerCounts({ perCaller: 1, total: 2 })
    const release = counts.take('a')
    for (let again = 0; again < 5; again += 1) expect(counts.take('a')).toBe('per_caller')
    expect(counts.take('b')).toBeInstanceOf(Function)
    for (let again = 0; again < 5; again += 1) expect(counts.take('c')).toBe('total')
    give(release)
    expect(counts.take('c')).toBeInstanceOf(Function)
  })

  test('is released once', () => {
    const counts = new CallerCounts({ perCaller: 3, total: 3 })
    const releases = [counts.take('a'), counts.take('a'), counts.take('a')]
    for (let again = 0; again < 3; again += 1) give(releases[0])
    expect(counts.take('a')).toBeInstanceOf(Function)
    expect(counts.take('a')).toBe('per_caller')
    expect(counts.take('b')).toBe('total')
  })

  test('is released by each caller separately', () => {
    const counts = new CallerCounts({ perCaller: 1, total: 9 })
    const release = counts.take('a')
    counts.take('b')
    give(release)
    expect([counts.take('b'), counts.take('a')]).toEqual(['per_caller', expect.any(Function)])
  })
})

function give(release: ReturnType<CallerCounts['take']> | undefined): void {
  if (typeof release !== 'function') throw new Error(`it was refused: ${release}`)
  release()
}
