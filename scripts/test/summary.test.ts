import { expect, it } from 'vitest'
import type { Result } from './Step.ts'
import { summary } from './summary.ts'

const ran = (name: string, more: Partial<Result> = {}): Result => ({
  ...{ name, kind: 'tests', passed: 0, failed: 0, skipped: 0, seconds: 1, cpuSeconds: 1, output: '' },
  ...more,
})
const last = (...args: Parameters<typeof summary>) => summary(...args).lines.at(-1)

it('counts tests as tests and checks as checks', () => {
  const { lines, failed } = summary([ran('core', { passed: 12, skipped: 1 }), ran('style', { kind: 'check' })], [])
  expect(lines.slice(-2)).toEqual(['1 of 1 checks of style, types and walls hold', '12 passed, 0 failed, 1 skipped'])
  expect(failed).toBe(false)
})

it('counts a failed check or preparation as a failure, with its reason', () => {
  const results = [ran('core', { passed: 12 }), ran('style', { kind: 'check', failed: 1, output: 'a long line' })]
  expect(last(results, [])).toBe('12 passed, 1 failed, 0 skipped')
  expect(summary(results, []).lines.join('\n')).toContain('a long line')
  expect(last([...results, ran('images', { kind: 'preparation', failed: 1 })], [])).toBe('12 passed, 2 failed, 0 skipped')
})

it('counts unchanged tests as skipped, and an empty run as failed', () => {
  const unchanged = [
    { kind: 'tests' as const, passed: 40 },
    { kind: 'check' as const, passed: 0 },
  ]
  const { lines, failed } = summary([], unchanged)
  expect(lines.at(-1)).toBe('0 passed, 0 failed, 40 skipped')
  expect(lines.join('\n')).toContain('40 tests and 1 checks were not run again')
  expect(failed).toBe(false)
  expect(summary([], []).failed).toBe(true)
})
