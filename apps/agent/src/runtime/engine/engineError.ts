import { AppError } from '@rackfair/core'
import { diskFull, saysDiskFull } from '../diskFull.ts'

/** Converts an engine's error: an unreachable engine is retryable, a refusal is not. */
export function engineError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const cause = error as { statusCode?: number; code?: string; message?: string }
  if (saysDiskFull(cause.message ?? '')) return diskFull('the container cannot be made', error)
  const down = cause.code === 'ECONNREFUSED' || cause.code === 'ENOENT' || cause.code === 'ECONNRESET'
  return new AppError(down ? 'engine_unavailable' : 'start_failed', (cause.message ?? String(error)).slice(0, 500), {
    cause: error,
    retryable: down,
  })
}

/** podman reports objects removed during a request differently. */
export function isMissing(error: unknown): boolean {
  const { statusCode, json } = error as { statusCode?: number; json?: { cause?: unknown } }
  return statusCode === 404 || (statusCode === 500 && json?.cause === 'no such container')
}

/** The container is already as it was asked to be. */
export const isUnchanged = (error: unknown): boolean => (error as { statusCode?: number }).statusCode === 304
