import { toAppError } from '@rackfair/sdk'
import { type Address, type Hash, isAddressEqual, type TransactionReceipt } from 'viem'
import { getTransaction, getTransactionCount } from 'viem/actions'
import type { Market } from '../../market.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import { type FollowOptions, follow, isOurs, type Sent } from './follow.ts'
import { refreshLive } from './refreshLive.ts'
import { type NewTransaction, sentOf } from './StoredTransaction.ts'

/**
 * Waits for a stored transaction and settles it in the store: failed once the chain shows that it cannot go through any more, never because
 * nothing was seen of it. One of which nothing is known is marked so; it and one that is still pending are followed further.
 * @throws AppError
 */
export async function trackTransaction(
  { transactions }: Pick<WalletRuntime, 'transactions'>,
  client: Market['client'],
  account: Address,
  chainId: number,
  transaction: NewTransaction,
  options: Omit<FollowOptions, 'askBatch'> = {},
): Promise<TransactionReceipt> {
  const { hash } = transaction
  const traces = sentOf(transaction)
  // Of a contract account the transaction, and its nonce, are somebody else's; so they are under the hash of another one.
  const known = transaction.nonce === undefined ? await getTransaction(client, { hash }).catch(() => undefined) : undefined
  const isOwn = known !== undefined && isAddressEqual(known.from, account) && (await isOurs(client, account, traces.call, hash))
  const nonce = transaction.nonce ?? (isOwn ? known.nonce : undefined)
  if (nonce !== undefined && transaction.nonce === undefined) transactions.setNonce(account, chainId, hash, nonce)
  const sent = { ...traces, nonce }
  try {
    const receipt = await follow(client, account, sent, options)
    transactions.settle(account, chainId, hash, 'confirmed', receipt.transactionHash)
    return receipt
  } catch (error) {
    transactions.settle(account, chainId, hash, await stateAfter(error, client, account, { ...sent, hash }))
    refreshLive()
    throw error
  }
}

async function stateAfter(
  error: unknown,
  client: Market['client'],
  address: Address,
  { hash, nonce, call }: Sent & { hash: Hash },
) {
  const { code } = toAppError(error)
  if (code === 'transaction_reverted' || code === 'transaction_replaced') return 'failed' as const
  const isSeen = await getTransaction(client, { hash }).then(
    () => isOurs(client, address, call, hash),
    () => false,
  )
  if (code !== 'transaction_timeout' || isSeen) return 'pending' as const
  if (nonce === undefined) return 'unknown' as const
  return (await getTransactionCount(client, { address }).catch(() => 0)) > nonce ? ('failed' as const) : ('pending' as const)
}
