import { RECEIPT_TIMEOUT_MS, toAppError } from '@rackfair/sdk'
import type { Address, Hash, TransactionReceipt } from 'viem'
import { getTransaction, getTransactionCount, getTransactionReceipt } from 'viem/actions'
import type { Market } from '../../market.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import { awaitTransaction } from './awaitTransaction.ts'
import { refreshLive } from './refreshLive.ts'
import type { NewTransaction } from './StoredTransaction.ts'

/**
 * Waits for a stored transaction and settles it in the store: failed once it cannot go through any more. One that still can, or of which
 * nothing is known because the chain is out of reach, stays pending, and is awaited again on the next load.
 * @throws AppError
 */
export async function trackTransaction(
  { transactions }: Pick<WalletRuntime, 'transactions'>,
  client: Market['client'],
  account: Address,
  chainId: number,
  transaction: NewTransaction,
  timeoutMs = RECEIPT_TIMEOUT_MS,
): Promise<TransactionReceipt> {
  const { hash } = transaction
  const nonce = transaction.nonce ?? (await getTransaction(client, { hash }).catch(() => undefined))?.nonce
  if (nonce !== undefined && transaction.nonce === undefined) transactions.setNonce(account, chainId, hash, nonce)
  try {
    const receipt = await awaitTransaction(
      client,
      account,
      { ...transaction, ...(nonce === undefined ? {} : { nonce }) },
      timeoutMs,
    )
    transactions.settle(account, chainId, hash, 'confirmed')
    return receipt
  } catch (error) {
    const { code } = toAppError(error)
    const isOpen =
      code === 'transaction_unknown' || (code === 'transaction_timeout' && (await canGoThrough(client, account, hash, nonce)))
    if (!isOpen) transactions.settle(account, chainId, hash, 'failed')
    refreshLive()
    throw error
  }
}

/** Whether it was mined and only lacks confirmations, or its nonce is unused. */
async function canGoThrough(client: Market['client'], address: Address, hash: Hash, nonce: number | undefined): Promise<boolean> {
  if (await getTransactionReceipt(client, { hash }).catch(() => undefined)) return true
  return nonce !== undefined && (await getTransactionCount(client, { address }).catch(() => 0)) <= nonce
}
