import type { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentTimes } from '../foundation/times.ts'

const MAX_START_FAILURES = 5
/** Where an application waits to take its place again. */
const MAX_UPDATE_FAILURES = 2

/**
 * Whether to give up on an application after this many failed starts over this time. An unreachable engine or cluster says nothing about
 * the application, so it is waited for.
 */
export function isFinalFailure(
  { code, retryable }: Pick<AppError, 'code' | 'retryable'>,
  { count, forMs, isUpdate = false }: { count: number; forMs: number; isUpdate?: boolean },
  { engineAwayMs }: Pick<AgentTimes, 'engineAwayMs'>,
): boolean {
  if (!retryable) return true
  return code === 'engine_unavailable' ? forMs >= engineAwayMs : count >= (isUpdate ? MAX_UPDATE_FAILURES : MAX_START_FAILURES)
}
