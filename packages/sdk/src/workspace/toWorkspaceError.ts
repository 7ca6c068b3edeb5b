import { AppError } from '@rackfair/core'
import type { StreamError } from '@rackfair/sealed'

/** Ends of a connection after which the same may succeed over a new one. */
const PASSING: ReadonlySet<string> = new Set([
  ...[
    'stream_interrupted',
    'stream_broken',
    'provider_offline',
    'platform_unreachable',
    'chain_unreachable',
    'agent_busy',
    'rate_limited',
  ],
])

/** How a stream or its connection ended, as the error that screens have words for. */
export function toWorkspaceError(error: unknown): AppError {
  if (error instanceof AppError) return error
  // By its form, so that what seals is not loaded for the sake of its errors.
  const { code, message } = (error ?? {}) as Partial<StreamError>
  if (typeof code === 'string') return new AppError(code, message ?? code, { retryable: PASSING.has(code) })
  return new AppError('stream_interrupted', String(error), { cause: error, retryable: true })
}
