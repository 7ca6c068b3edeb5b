import { AppError } from '@rackfair/core'
import { type ErrorCode, RECEIPT_TIMEOUT_MS, toAppError } from '@rackfair/sdk'
import type { Address, Hex } from 'viem'
import { getConnection, waitForCallsStatus } from 'wagmi/actions'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import type { WaitingBatch } from './StoredTransaction.ts'

const AGAIN_MS = 2000

/**
 * Waits for at most 300 s until the wallet has carried out a stored batch; its transaction then takes its place among the settled ones.
 * Without an end the batch stays stored, and is awaited again on the next load.
 *
 * @throws AppError `transaction_reverted` when it was not carried out, `transaction_timeout`, or `transaction_unknown` when the wallet does not
 * know it.
 */
export async function trackBatch(
  { wagmi, transactions }: Pick<WalletRuntime, 'wagmi' | 'transactions'>,
  account: Address,
  chainId: number,
  { id, description }: WaitingBatch,
): Promise<{ transactionHash: Hex; blockNumber: bigint }> {
  const forget = () => transactions.batches.remove(account, chainId, id)
  const end = await endOfBatch(wagmi, id, forget)
  const receipt = end.receipts?.at(-1)
  if (receipt) {
    transactions.add(account, chainId, { hash: receipt.transactionHash, description })
    transactions.settle(account, chainId, receipt.transactionHash, end.status === 'success' ? 'confirmed' : 'failed')
  }
  forget()
  if (!receipt || end.status !== 'success')
    throw new AppError<ErrorCode>('transaction_reverted', 'The batch was not carried out', {
      facts: { reason: 'unknown reason', ...(receipt ? { hash: receipt.transactionHash } : {}) },
    })
  return receipt
}

/** An error of the wallet says nothing about the batch, unless it is that it does not know it: the wallet is asked again until the time is over. */
async function endOfBatch(wagmi: WalletRuntime['wagmi'], id: string, onUnknown: () => void) {
  const { connector } = getConnection(wagmi)
  const until = Date.now() + RECEIPT_TIMEOUT_MS
  for (;;) {
    try {
      return await waitForCallsStatus(wagmi, { id, connector, timeout: Math.max(1, until - Date.now()) })
    } catch (error) {
      const known = toAppError(error)
      if (known.code === 'transaction_unknown') onUnknown()
      if (known.code === 'transaction_unknown' || known.code === 'transaction_timeout') throw known
      if (Date.now() >= until)
        throw new AppError<ErrorCode>('transaction_timeout', known.message, { cause: known, retryable: true })
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}
