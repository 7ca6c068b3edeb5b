import type { Address } from 'viem'
import { queryClient } from '../../../platform/api/queryClient.ts'
import type { Market } from '../../market.ts'
import { marketQuery } from '../../useMarket.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'

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
  const open = transactions.of(account, chainId).filter(({ status }) => status === 'pending' || status === 'unknown')
  const batches = transactions.batches.of(account, chainId)
  if (open.length + batches.length === 0) return
  const { client } = await readMarket()
  const [{ keepFollowing, FOLLOW_SLOWLY }, { trackTransaction }, { trackBatch }] = await Promise.all([
    import('./keepFollowing.ts'),
    import('./trackTransaction.ts'),
    import('./trackBatch.ts'),
  ])
  await Promise.all([
    ...open.map((entry) =>
      keepFollowing(
        (options) => trackTransaction(runtime, client, account, chainId, entry, options),
        entry.status === 'unknown' ? FOLLOW_SLOWLY : {},
      ),
    ),
    ...batches.map((batch) => keepFollowing((options) => trackBatch(runtime, client, account, chainId, batch, options))),
  ])
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
