import { toAppError } from '@rackfair/sdk'
import type { Address } from 'viem'
import { noteBlock } from '../../../lib/knownBlock.ts'
import { queryClient } from '../../../lib/queryClient.ts'
import { marketQuery } from '../../useMarket.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import { awaitTransaction } from './awaitTransaction.ts'
import { refreshLive } from './refreshLive.ts'

/** After a load, pending transactions of this account are awaited again. Waiting that fails for good counts as failed. */
export async function awaitPending(
  { transactions }: Pick<WalletRuntime, 'transactions'>,
  account: Address,
  chainId: number,
): Promise<void> {
  const pending = transactions.of(account, chainId).filter((entry) => entry.status === 'pending')
  if (pending.length === 0) return
  const { client } = await queryClient.ensureQueryData(marketQuery)
  await Promise.all(
    pending.map(async (entry) => {
      try {
        const receipt = await awaitTransaction(client, account, entry)
        transactions.settle(account, chainId, entry.hash, 'confirmed')
        noteBlock(receipt.blockNumber)
      } catch (error) {
        // The chain being out of reach says nothing about the transaction: it is awaited again on the next load.
        if (toAppError(error).code === 'rpc_unreachable') return
        transactions.settle(account, chainId, entry.hash, 'failed')
      }
      refreshLive()
    }),
  )
}
