import { AppError } from '@rackfair/rules/errors/AppError'
import { BaseError } from 'viem'
import type { ErrorCode } from './ErrorCode.ts'
import { readWalletError } from './readWalletError.ts'

export { readWalletError } from './readWalletError.ts'

const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'rpc_unreachable',
  'platform_unreachable',
  'transaction_timeout',
  'wallet_silent',
])

/**
 * `toAppError` for everything but the contracts' custom errors. It needs neither their ABIs nor viem's decoder, which outweigh the rest of
 * what a wallet needs to connect and sign in, so it has an entry point of its own: `@rackfair/sdk/walletError`.
 */
export function toWalletError(error: unknown): AppError<ErrorCode> {
  if (error instanceof AppError) return error as AppError<ErrorCode>
  const { code, message } = readWalletError(error)
  if (code === undefined) return new AppError<ErrorCode>('unknown', inFull(error, message), { cause: error })
  return new AppError<ErrorCode>(code, message, { cause: error, retryable: RETRYABLE.has(code) })
}

/** An error without a translation keeps its original words. */
function inFull(error: unknown, short: string): string {
  // Undefined for an error without a cause, whatever its type says.
  const details: string | undefined = error instanceof BaseError ? error.details : ''
  return !details || short.includes(details) ? short : `${short} ${details}`
}
