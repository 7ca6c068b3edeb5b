import { AppError, type ErrorFacts } from '@rackfair/core'
import type { ErrorCode } from './ErrorCode.ts'

/** An AppError with a code of the product. */
export const appError = (code: ErrorCode, message: string, facts: ErrorFacts = {}, retryable = false): AppError<ErrorCode> =>
  new AppError<ErrorCode>(code, message, { facts, retryable })
