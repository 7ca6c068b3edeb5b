import { AppError, type ErrorFacts } from '@rackfair/rules/errors/AppError'
import type { ErrorCode } from './ErrorCode.ts'

/** Creates an AppError with one of the product's codes. */
export const appError = (code: ErrorCode, message: string, facts: ErrorFacts = {}): AppError<ErrorCode> =>
  new AppError<ErrorCode>(code, message, { facts })
