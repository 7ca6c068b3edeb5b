import type { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentTimes } from '../foundation/times.ts'

const MAX_START_FAILURES = 5

/**
 * Whether to give up on an application after this many failed starts over this time. An unreachable engine or cluster says nothing about
 * the application, so it is waited for.
 */
export function isFinalFailure(
  { code, retryable }: Pick<AppError, 'code' | 'retryable'>,
  { count, forMs }: { count: number; forMs: number },
  { engineAwayMs }: Pick<AgentTimes, 'engineAwayMs'>,
): boolean {
  if (!retryable) return true
  return code === 'engine_unavailable' ? forMs >= engineAwayMs : count >= MAX_START_FAILURES
}
