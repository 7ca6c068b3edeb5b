import { AppError } from '@rackfair/core'
import { type ErrorCode, RECEIPT_TIMEOUT_MS, toAppError } from '@rackfair/sdk'
import type { Address, Hex } from 'viem'
import { waitForCallsStatus } from 'wagmi/actions'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import type { WaitingBatch } from './StoredTransaction.ts'

/** Then nothing is known of the batch, and it is awaited again on the next load. */
const OUT_OF_REACH: readonly ErrorCode[] = ['rpc_unreachable', 'not_connected', 'wallet_locked']

/**
 * Waits until the wallet has carried out a stored batch; its transaction then takes its place among the settled ones.
 *
 * @throws AppError `transaction_reverted` when it was not carried out, or what the wallet says.
 */
export async function trackBatch(
  { wagmi, transactions }: Pick<WalletRuntime, 'wagmi' | 'transactions'>,
  account: Address,
  chainId: number,
  { id, description }: WaitingBatch,
): Promise<{ transactionHash: Hex; blockNumber: bigint }> {
  const end = await waitForCallsStatus(wagmi, { id, timeout: RECEIPT_TIMEOUT_MS }).catch((error: unknown) => {
    const known = toAppError(error)
    if (!OUT_OF_REACH.includes(known.code)) transactions.batches.remove(account, chainId, id)
    throw known
  })
  const receipt = end.receipts?.at(-1)
  if (receipt) {
    transactions.add(account, chainId, { hash: receipt.transactionHash, description })
    transactions.settle(account, chainId, receipt.transactionHash, end.status === 'success' ? 'confirmed' : 'failed')
  }
  transactions.batches.remove(account, chainId, id)
  if (!receipt || end.status !== 'success')
    throw new AppError<ErrorCode>('transaction_reverted', 'The batch was not carried out', {
      facts: { reason: 'unknown reason', ...(receipt ? { hash: receipt.transactionHash } : {}) },
    })
  return receipt
}
