import { toAppError } from '@rackfair/sdk'
import type { Address, TransactionReceipt } from 'viem'
import { getTransaction } from 'viem/actions'
import type { Market } from '../../market.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import { awaitTransaction } from './awaitTransaction.ts'
import { refreshLive } from './refreshLive.ts'
import type { NewTransaction } from './StoredTransaction.ts'

/** Waits for a stored transaction and settles it in the store: failed when waiting fails for good. @throws AppError */
export async function trackTransaction(
  { transactions }: Pick<WalletRuntime, 'transactions'>,
  client: Market['client'],
  account: Address,
  chainId: number,
  transaction: NewTransaction,
): Promise<TransactionReceipt> {
  const { hash } = transaction
  const nonce = transaction.nonce ?? (await getTransaction(client, { hash }).catch(() => undefined))?.nonce
  if (nonce !== undefined && transaction.nonce === undefined) transactions.setNonce(account, chainId, hash, nonce)
  try {
    const receipt = await awaitTransaction(client, account, { ...transaction, ...(nonce === undefined ? {} : { nonce }) })
    transactions.settle(account, chainId, hash, 'confirmed')
    return receipt
  } catch (error) {
    // The chain being out of reach says nothing about the transaction: it stays pending and is awaited again on the next load.
    if (toAppError(error).code !== 'transaction_unknown') transactions.settle(account, chainId, hash, 'failed')
    refreshLive()
    throw error
  }
}
