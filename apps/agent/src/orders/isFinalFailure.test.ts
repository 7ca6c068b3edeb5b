import { expect, it } from 'vitest'
import { AGENT_TIMES } from '../foundation/times.ts'
import { isFinalFailure } from './isFinalFailure.ts'

const MINUTE_MS = 60_000

it.each([
  ['an application that cannot run', 'image_missing', false, 1, 0, true],
  ['one that failed four times', 'start_failed', true, 4, MINUTE_MS, false],
  ['one that failed five times', 'start_failed', true, 5, MINUTE_MS, true],
  ['an API server that is away for ten minutes', 'engine_unavailable', true, 17, 10 * MINUTE_MS, false],
  ['one that stays away', 'engine_unavailable', true, 22, 15 * MINUTE_MS, true],
] as const)('decides for %s whether to give up', (_of, code, retryable, count, forMs, expected) => {
  expect(isFinalFailure({ code, retryable }, { count, forMs }, AGENT_TIMES)).toBe(expected)
})
