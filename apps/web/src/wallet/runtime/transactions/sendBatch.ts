import { waitForReceipt } from '@rackfair/sdk'
import type { Address, TransactionReceipt } from 'viem'
import type { Config } from 'wagmi'
import { getCapabilities, sendCalls } from 'wagmi/actions'
import type { Market } from '../../market.ts'
import type { SendOptions, SendState } from '../../transactionTypes.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import type { PlainCall } from './PlainCall.ts'
import { trackBatch } from './trackBatch.ts'

const ASK_MS = 2000

/** True when the wallet carries out several calls as one (EIP-5792, `atomic`). A wallet that does not answer cannot. */
export async function canBatch(wagmi: Config, account: Address): Promise<boolean> {
  const chainId = wagmi.chains[0].id
  const answer = getCapabilities(wagmi, { account, chainId }).then(
    (capabilities) => ['supported', 'ready'].includes(capabilities.atomic?.status ?? ''),
    () => false,
  )
  const silence = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), ASK_MS)
  })
  return Promise.race([answer, silence])
}

export async function sendBatch(
  runtime: WalletRuntime,
  market: Market,
  from: Address,
  calls: readonly PlainCall[],
  options: SendOptions,
  onState: (state: SendState) => void,
): Promise<TransactionReceipt> {
  onState({ phase: 'wallet', step: 1, steps: 1 })
  const { id } = await sendCalls(runtime.wagmi, { account: from, calls: [...calls], forceAtomic: true, chainId: market.chainId })
  const batch = { id, description: options.description }
  runtime.transactions.batches.add(from, market.chainId, batch)
  onState({ phase: 'submitted', step: 1, steps: 1, hash: undefined })
  const { transactionHash: hash } = await trackBatch(runtime, from, market.chainId, batch)
  onState({ phase: 'submitted', step: 1, steps: 1, hash })
  return waitForReceipt(market.client, hash)
}
