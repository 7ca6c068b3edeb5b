import { AppError } from '@rackfair/core'
import { BaseError } from 'viem'
import { causes } from './causes.ts'
import type { ErrorCode } from './ErrorCode.ts'

/** What viem's errors mean, by name: names survive bundling and a second copy of viem, `instanceof` does not. */
const MEANING: Readonly<Record<string, ErrorCode>> = {
  UserRejectedRequestError: 'user_rejected',
  TransactionRejectedRpcError: 'unknown',
  ChainMismatchError: 'wrong_network',
  SwitchChainError: 'wrong_network',
  ChainNotConfiguredError: 'wrong_network',
  ConnectorChainMismatchError: 'wrong_network',
  ConnectorNotConnectedError: 'not_connected',
  ConnectorAccountNotFoundError: 'not_connected',
  AccountNotFoundError: 'not_connected',
  UnauthorizedProviderError: 'wallet_locked',
  ProviderDisconnectedError: 'not_connected',
  InsufficientFundsError: 'insufficient_gas',
  WaitForTransactionReceiptTimeoutError: 'transaction_timeout',
  WaitForCallsStatusTimeoutError: 'transaction_timeout',
  UnknownBundleIdError: 'transaction_unknown',
  HttpRequestError: 'rpc_unreachable',
  WebSocketRequestError: 'rpc_unreachable',
  SocketClosedError: 'rpc_unreachable',
  TimeoutError: 'rpc_unreachable',
  ContractFunctionZeroDataError: 'not_deployed_on_chain',
}

const RETRYABLE: ReadonlySet<ErrorCode> = new Set(['rpc_unreachable', 'platform_unreachable', 'transaction_timeout'])

/**
 * `toAppError` for everything but the contracts' custom errors. It needs neither their ABIs nor viem's decoder, which outweigh the rest of
 * what a wallet needs to connect and sign in, so it has an entry point of its own: `@rackfair/sdk/walletError`.
 */
export function toWalletError(error: unknown): AppError<ErrorCode> {
  if (error instanceof AppError) return error as AppError<ErrorCode>
  for (const link of causes(error)) {
    const code = MEANING[link.name] ?? codeOfProvider(link)
    if (code) return new AppError<ErrorCode>(code, shortest(error), { cause: error, retryable: RETRYABLE.has(code) })
  }
  return new AppError<ErrorCode>('unknown', inFull(error), { cause: error })
}

/** A wallet that is not used through viem throws plain errors with EIP-1193 codes. */
function codeOfProvider(error: Error & { code?: unknown }): ErrorCode | undefined {
  if (error.code === 4001) return 'user_rejected'
  if (error.code === 4100) return 'wallet_locked'
  if (error.code === 4900 || error.code === 4901) return 'not_connected'
  return undefined
}

/** An error without a translation keeps its original words. */
function inFull(error: unknown): string {
  // Undefined for an error without a cause, whatever its type says.
  const details: string | undefined = error instanceof BaseError ? error.details : ''
  const short = shortest(error)
  return !details || short.includes(details) ? short : `${short} ${details}`
}

function shortest(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.message : String(error)
}
