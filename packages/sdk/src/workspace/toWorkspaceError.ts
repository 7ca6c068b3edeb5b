import { AppError } from '@rackfair/rules/errors/AppError'
import type { StreamError } from '@rackfair/sealed'

/** Reasons that a later try may not meet again. */
const PASSING: ReadonlySet<string> = new Set([
  ...[
    'stream_interrupted',
    'stream_broken',
    'provider_offline',
    'platform_unreachable',
    'chain_unreachable',
    'agent_busy',
    'rate_limited',
    'upload_in_progress',
  ],
])

/** Turns the end of a stream or its connection into the error that screens have a text for. */
export function toWorkspaceError(error: unknown): AppError {
  if (error instanceof AppError) return error
  // Duck-typed, so that the sealing code is not loaded only for its error class.
  const { code, message } = (error ?? {}) as Partial<StreamError>
  if (typeof code === 'string') return new AppError(code, message ?? code, { retryable: PASSING.has(code) })
  return new AppError('stream_interrupted', String(error), { cause: error, retryable: true })
}
