import { type ContractErrorName, contractErrorNames, gateAbi, monitorsErrorsAbi, testUsdtAbi } from '@rackfair/contracts'
import { AppError, type ErrorFacts } from '@rackfair/core'
import { decodeErrorResult, type Hex } from 'viem'
import { contractAbis } from '../chain/contractAbis.ts'
import { causes } from './causes.ts'
import type { ErrorCode } from './ErrorCode.ts'
import { toWalletError } from './toWalletError.ts'

const contractErrors = [...Object.values(contractAbis), gateAbi, monitorsErrorsAbi, testUsdtAbi]
  .flat()
  .filter((item) => item.type === 'error')

/**
 * Translates anything that viem, a wallet or the chain throws. A custom error of the contracts becomes its own code
 * with its arguments as facts; what is not known becomes `unknown` with the shortest message there is.
 */
export function toAppError(error: unknown): AppError<ErrorCode> {
  if (error instanceof AppError) return error as AppError<ErrorCode>
  for (const link of causes(error)) {
    const data = revertData(link)
    const decoded = data === undefined ? undefined : decode(data)
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
