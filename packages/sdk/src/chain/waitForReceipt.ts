import { AppError } from '@rackfair/core'
import type { Hash, TransactionReceipt } from 'viem'
import { call, getTransaction, waitForTransactionReceipt } from 'viem/actions'
import type { ErrorCode } from '../errors/ErrorCode.ts'
import { toAppError } from '../errors/toAppError.ts'
import type { ChainReader } from './ChainReader.ts'

/** How long a receipt is awaited (product specification, point 7). */
export const RECEIPT_TIMEOUT_MS = 300_000

/**
 * Waits for a transaction; one that was replaced by its sender is followed to the replacement.
 *
 * @throws AppError `transaction_reverted` (facts.reason: the decoded reason or `unknown reason`), `transaction_timeout`,
 * `transaction_replaced` when a replacement does something else, `rpc_unreachable`.
 */
export async function waitForReceipt(
  client: ChainReader,
  hash: Hash,
  options: { confirmations?: number; timeoutMs?: number } = {},
): Promise<TransactionReceipt> {
  let replacement: string | undefined
  const receipt = await waitForTransactionReceipt(client, {
    hash,
    confirmations: options.confirmations ?? 1,
    timeout: options.timeoutMs ?? RECEIPT_TIMEOUT_MS,
    onReplaced: ({ reason }) => {
      replacement = reason
    },
  }).catch((error: unknown) => {
    throw toAppError(error)
  })
  if (replacement === 'cancelled' || replacement === 'replaced') {
    throw new AppError<ErrorCode>('transaction_replaced', `The transaction ${hash} was ${replacement} in the wallet`, {
      facts: { hash, by: receipt.transactionHash },
    })
  }
  if (receipt.status === 'reverted') throw await revertReason(client, receipt)
  return receipt
}

/** A receipt does not carry the reason: the same call is made again on the state before its block. */
async function revertReason(client: ChainReader, receipt: TransactionReceipt): Promise<AppError<ErrorCode>> {
  let cause: AppError<ErrorCode> | undefined
  try {
    const transaction = await getTransaction(client, { hash: receipt.transactionHash })
    await call(client, {
      account: transaction.from,
      to: transaction.to,
      data: transaction.input,
      value: transaction.value,
      blockNumber: receipt.blockNumber - 1n,
    })
  } catch (error) {
    cause = toAppError(error)
  }
  const reason = cause && cause.code !== 'unknown' && cause.code !== 'rpc_unreachable' ? cause.code : 'unknown reason'
  return new AppError<ErrorCode>('transaction_reverted', reason, {
    facts: { reason, hash: receipt.transactionHash, ...(cause?.facts ?? {}) },
    cause,
  })
}
