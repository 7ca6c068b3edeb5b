import { type ContractErrorName, contractErrorNames, gateAbi, monitorsErrorsAbi, testUsdtAbi } from '@rackfair/contracts'
import { AppError, type ErrorFacts } from '@rackfair/core'
import { BaseError, decodeErrorResult, type Hex } from 'viem'
import { contractAbis } from '../chain/contractAbis.ts'
import type { ErrorCode } from './ErrorCode.ts'

const contractErrors = [...Object.values(contractAbis), gateAbi, monitorsErrorsAbi, testUsdtAbi]
  .flat()
  .filter((item) => item.type === 'error')

/** Names of viem's errors (they survive bundling and a second copy of viem, which `instanceof` does not), and what they mean. */
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
 * Translates anything that viem, a wallet or the chain throws. A custom error of the contracts becomes its own code
 * with its arguments as facts; what is not known becomes `unknown` with the shortest message there is.
 */
export function toAppError(error: unknown): AppError<ErrorCode> {
  if (error instanceof AppError) return error as AppError<ErrorCode>
  const chain = causes(error)

  for (const link of chain) {
    const data = revertData(link)
    const decoded = data === undefined ? undefined : decode(data)
    if (decoded) return decoded
  }
  for (const link of chain) {
    const code = MEANING[link.name] ?? codeOfProvider(link)
    if (code) return new AppError<ErrorCode>(code, shortest(error), { cause: error, retryable: RETRYABLE.has(code) })
  }
  return new AppError<ErrorCode>('unknown', inFull(error), { cause: error })
}

function causes(error: unknown): Error[] {
  const found: Error[] = []
  let link = error
  while (link instanceof Error && found.length < 16) {
    found.push(link)
    link = link.cause
  }
  return found
}

/** A wallet that does not speak through viem throws plain errors with EIP-1193 codes. */
function codeOfProvider(error: Error & { code?: unknown }): ErrorCode | undefined {
  if (error.code === 4001) return 'user_rejected'
  if (error.code === 4100) return 'wallet_locked'
  if (error.code === 4900 || error.code === 4901) return 'not_connected'
  return undefined
}

function revertData(error: Error & { data?: unknown; raw?: unknown }): Hex | undefined {
  for (const candidate of [error.raw, error.data, (error.data as { data?: unknown } | undefined)?.data]) {
    if (typeof candidate === 'string' && /^0x[0-9a-fA-F]{8,}$/.test(candidate)) return candidate as Hex
  }
  return undefined
}

function decode(data: Hex): AppError<ErrorCode> | undefined {
  try {
    const { abiItem, errorName, args } = decodeErrorResult({ abi: contractErrors, data })
    if (!(contractErrorNames as readonly string[]).includes(errorName)) return undefined
    // Not by the name: Registry and Monitors have a TooManyNodes each, with other facts.
    const inputs = 'inputs' in abiItem ? abiItem.inputs : []
    const facts: Record<string, string | number | boolean> = {}
    inputs.forEach((input, index) => {
      const value = (args as readonly unknown[] | undefined)?.[index]
      facts[input.name ?? String(index)] = typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
    })
    return new AppError<ErrorCode>(errorName as ContractErrorName, `${errorName}(${Object.values(facts).join(', ')})`, {
      facts: facts as ErrorFacts,
    })
  } catch {
    return undefined
  }
}

/** What nobody has a sentence for is told in the words of who threw it. */
function inFull(error: unknown): string {
  const details = error instanceof BaseError ? error.details : ''
  const short = shortest(error)
  return details === '' || short.includes(details) ? short : `${short} ${details}`
}

function shortest(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.message : String(error)
}
