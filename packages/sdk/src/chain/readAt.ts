import type { Abi, ContractFunctionArgs, ContractFunctionName, ReadContractParameters, ReadContractReturnType } from 'viem'
import { readContract } from 'viem/actions'
import { toAppError } from '../errors/toAppError.ts'
import type { ChainReader } from './ChainReader.ts'

/** viem's `readContract`, with failures as AppErrors. */
export async function readAt<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, 'pure' | 'view'>,
  const args extends ContractFunctionArgs<abi, 'pure' | 'view', functionName>,
>(
  client: ChainReader,
  call: ReadContractParameters<abi, functionName, args>,
): Promise<ReadContractReturnType<abi, functionName, args>> {
  try {
    return await readContract(client, call)
  } catch (error) {
    throw toAppError(error)
  }
}
