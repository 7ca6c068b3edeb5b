import type { Abi, Account, Address, Chain, Client, Hash, Transport } from 'viem'
import { estimateContractGas, simulateContract, writeContract } from 'viem/actions'
import { toAppError } from '../errors/toAppError.ts'
import type { ChainReader } from './ChainReader.ts'
import { withGasMargin } from './withGasMargin.ts'

/** A call of any contract of the market. */
export interface SendableCall {
  address: Address
  abi: Abi
  functionName: string
  args: readonly unknown[]
}

/** A viem client that can sign: a local account, or a wallet's. */
export type ChainWriter = Client<Transport, Chain | undefined, Account | undefined>

/**
 * Simulates the call, so that a revert is known before anybody signs, then sends it.
 *
 * @returns the transaction hash; the transaction may still be pending. See `waitForReceipt`.
 * @throws AppError: the contract's error name, `user_rejected`, `insufficient_gas`, `wrong_network`, `rpc_unreachable`.
 */
export async function sendCall(
  reader: ChainReader,
  writer: ChainWriter,
  call: SendableCall,
  account?: Address | Account,
): Promise<Hash> {
  const sender = account ?? writer.account
  if (!sender) throw toAppError(new Error('no account to send from'))
  try {
    await simulateContract(reader, { ...call, account: sender } as never)
    const gas = withGasMargin(await estimateContractGas(reader, { ...call, account: sender } as never))
    return await writeContract(writer, { ...call, gas, account: sender, chain: writer.chain ?? null } as never)
  } catch (error) {
    throw toAppError(error)
  }
}
