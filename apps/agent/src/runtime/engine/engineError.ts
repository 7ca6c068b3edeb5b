import { AppError } from '@rackfair/rules/errors/AppError'
import { notStarted } from '../notStarted.ts'

/** Converts an engine's error: an unreachable engine is retryable, a refusal is not. What the engine said is the cause, for its provider. */
export function engineError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const cause = error as { statusCode?: number; code?: string; message?: string }
  const down = cause.code === 'ECONNREFUSED' || cause.code === 'ENOENT' || cause.code === 'ECONNRESET'
  if (!down) return notStarted(cause.message ?? String(error), { cause: error })
  return new AppError('engine_unavailable', 'the container engine of this provider does not answer; it is tried again', {
    ...{ cause: error, retryable: true },
  })
}

/** podman reports objects removed during a request differently. */
export function isMissing(error: unknown): boolean {
  const { statusCode, json } = error as { statusCode?: number; json?: { cause?: unknown } }
  return statusCode === 404 || (statusCode === 500 && json?.cause === 'no such container')
}

/** The container is already as it was asked to be. */
export const isUnchanged = (error: unknown): boolean => (error as { statusCode?: number }).statusCode === 304
