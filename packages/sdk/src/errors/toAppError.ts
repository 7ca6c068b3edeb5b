import {
  type ContractErrorName,
  contractErrorNames,
  gateAbi,
  monitorsErrorsAbi,
  purseErrorsAbi,
  testUsdtAbi,
} from '@rackfair/contracts'
import { AppError } from '@rackfair/rules/errors/AppError'
import { decodeErrorResult, type Hex } from 'viem'
import { contractAbis } from '../chain/contractAbis.ts'
import { causes } from './causes.ts'
import type { ErrorCode } from './ErrorCode.ts'
import { toWalletError } from './toWalletError.ts'

const contractErrors = [...Object.values(contractAbis), gateAbi, monitorsErrorsAbi, purseErrorsAbi, testUsdtAbi].flat()

/**
 * Translates anything that viem, a wallet or the chain throws. A custom error of the contracts becomes its own code with its arguments as
 * facts; anything unrecognized becomes `unknown` with the shortest message available.
 */
export function toAppError(error: unknown): AppError<ErrorCode> {
  if (error instanceof AppError) return error as AppError<ErrorCode>
  for (const link of causes(error)) {
    const data = revertData(link)
    const decoded = data && decode(data)
    if (decoded) return decoded
  }
  return toWalletError(error)
}

function revertData(error: Error & { data?: unknown; raw?: unknown }): Hex | undefined {
  for (const candidate of [error.raw, error.data, (error.data as { data?: unknown } | undefined)?.data]) {
    if (typeof candidate === 'string' && /^0x[0-9a-fA-F]{8,}$/.test(candidate)) return candidate.toLowerCase() as Hex
  }
  return undefined
}

function decode(data: Hex): AppError<ErrorCode> | undefined {
  try {
    const { abiItem, errorName, args } = decodeErrorResult({ abi: contractErrors, data })
    if (!(contractErrorNames as readonly string[]).includes(errorName)) return undefined
    // Not by name: Registry and Monitors each have a TooManyNodes, with different arguments.
    const inputs = (abiItem as { inputs: readonly { name: string }[] }).inputs
    const facts = Object.fromEntries(inputs.flatMap(({ name }, index) => factsOf(name, (args as readonly unknown[])[index])))
    return new AppError<ErrorCode>(errorName as ContractErrorName, `${errorName}(${Object.values(facts).join(', ')})`, { facts })
  } catch {
    return undefined
  }
}

/** An argument as facts: a struct as its fields, numbers beyond 48 bits as text. */
function factsOf(name: string, value: unknown): [string, string | number][] {
  if (typeof value === 'object') return Object.entries(value as object).flatMap(([field, part]) => factsOf(field, part))
  return [[name, typeof value === 'number' ? value : String(value)]]
}
