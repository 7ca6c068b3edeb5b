import type { Address } from 'viem'
import { noteBlock } from '../../../lib/knownBlock.ts'
import { queryClient } from '../../../lib/queryClient.ts'
import type { Market } from '../../market.ts'
import { marketQuery } from '../../useMarket.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import { refreshLive } from './refreshLive.ts'

const AGAIN_MS = 5000

/**
 * After a load, what this account still waits for is awaited again, as soon as the chain can be reached. Never throws. Most visitors wait
 * for nothing, so the code that waits is loaded when it is needed.
 */
export async function awaitPending(
  runtime: Pick<WalletRuntime, 'wagmi' | 'transactions'>,
  account: Address,
  chainId: number,
): Promise<void> {
  const { transactions } = runtime
  const pending = transactions.of(account, chainId).filter((entry) => entry.status === 'pending')
  const batches = transactions.batches.of(account, chainId)
  if (pending.length + batches.length === 0) return
  const { client } = await readMarket()
  const tracked: Promise<{ blockNumber: bigint }>[] = [
    ...pending.map(async (entry) =>
      (await import('./trackTransaction.ts')).trackTransaction(runtime, client, account, chainId, entry),
    ),
    ...batches.map(async (batch) => (await import('./trackBatch.ts')).trackBatch(runtime, account, chainId, batch)),
  ]
  await Promise.all(
    tracked.map(async (end) => {
      try {
        noteBlock((await end).blockNumber)
        refreshLive()
      } catch {
        // The store says how it ended, or keeps it for the next load.
      }
    }),
  )
}

async function readMarket(): Promise<Market> {
  for (;;) {
    try {
      return await queryClient.ensureQueryData(marketQuery)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}
