import { toAppError } from '@rackfair/sdk'
import type { Address, TransactionReceipt } from 'viem'
import { getConnection } from 'wagmi/actions'
import type { Market } from '../../market.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import { readBatchStatus } from '../connection/walletAnswers.ts'
import { type FollowOptions, follow } from './follow.ts'
import { refreshLive } from './refreshLive.ts'
import { sentOf, type WaitingBatch } from './StoredTransaction.ts'

/**
 * Waits for at most 300 s until the chain shows a stored batch; its transaction then takes its place among the settled ones. Without an end
 * the batch stays stored, marked as not known, and is followed further.
 *
 * @throws AppError `transaction_reverted` when it was not carried out, `transaction_timeout`, or `transaction_unknown` when the wallet does not
 * know it or the chain does not show what the wallet calls done.
 */
export async function trackBatch(
  { wagmi, transactions }: Pick<WalletRuntime, 'wagmi' | 'transactions'>,
  client: Market['client'],
  account: Address,
  chainId: number,
  batch: WaitingBatch,
  options: Omit<FollowOptions, 'askBatch'> = {},
): Promise<TransactionReceipt> {
  const { id, description } = batch
  const { connector } = getConnection(wagmi)
  const askBatch = async () => {
    const provider = (await connector?.getProvider()) as { request: (call: object) => Promise<unknown> } | undefined
    return readBatchStatus(await provider?.request({ method: 'wallet_getCallsStatus', params: [id] }))
  }
  try {
    const receipt = await follow(client, account, sentOf(batch), { ...options, ...(batch.unnamed ? {} : { askBatch }) })
    transactions.add(account, chainId, { hash: receipt.transactionHash, description })
    transactions.settle(account, chainId, receipt.transactionHash, 'confirmed')
    transactions.batches.remove(account, chainId, id)
    return receipt
  } catch (error) {
    const { code, facts } = toAppError(error)
    if (code === 'transaction_reverted') {
      const hash = typeof facts.hash === 'string' ? (facts.hash as `0x${string}`) : undefined
      if (hash) {
        transactions.add(account, chainId, { hash, description })
        transactions.settle(account, chainId, hash, 'failed')
      }
      transactions.batches.remove(account, chainId, id)
    } else transactions.batches.add(account, chainId, { ...batch, unknown: true })
    refreshLive()
    throw error
  }
}
