import type { AppError } from '@rackfair/core'
import type { AgentTimes } from '../config/agentTimes.ts'

const MAX_START_FAILURES = 5

/**
 * Whether an application that did not start, so many times in a row and for so long, is given up. An engine or a cluster that is away
 * says nothing of the application: that is waited for.
 */
export function isFinalFailure(
  { code, retryable }: Pick<AppError, 'code' | 'retryable'>,
  { count, forMs }: { count: number; forMs: number },
  { engineAwayMs }: Pick<AgentTimes, 'engineAwayMs'>,
): boolean {
  if (!retryable) return true
  return code === 'engine_unavailable' ? forMs >= engineAwayMs : count >= MAX_START_FAILURES
}
