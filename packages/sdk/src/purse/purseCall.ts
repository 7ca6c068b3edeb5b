import { purseAbi } from '@rackfair/contracts'
import type { Address, ContractFunctionArgs, ContractFunctionName } from 'viem'
import { type SendableCall, sendCall } from '../chain/sendCall.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'

type Writes = ContractFunctionName<typeof purseAbi, 'nonpayable'>

/** A transaction that was mined. Pass its block as `minBlock` to see what it changed in every answer of the platform. */
export interface Mined {
  hash: `0x${string}`
  block: bigint
}

export function purseCall<const Fn extends Writes>(
  purse: Address,
  functionName: Fn,
  args: ContractFunctionArgs<typeof purseAbi, 'nonpayable', Fn>,
): SendableCall {
  return { address: purse, abi: purseAbi, functionName, args: args as readonly unknown[] }
}

/** Sends a call and waits until it is mined. */
export async function mine({ client, wallet }: Payer, call: SendableCall, { onSent, signal }: PayOptions): Promise<Mined> {
  signal?.throwIfAborted()
  const hash = await sendCall(client, wallet, call)
  onSent?.({ step: 'pay', hash })
  return { hash, block: (await waitForReceipt(client, hash)).blockNumber }
}
