import { AppError } from '@rackfair/rules/errors/AppError'
import type { Hash, TransactionReceipt } from 'viem'
import { call, getTransaction, getTransactionReceipt, waitForTransactionReceipt } from 'viem/actions'
import type { ErrorCode } from '../errors/ErrorCode.ts'
import { toAppError } from '../errors/toAppError.ts'
import type { ChainReader } from './ChainReader.ts'

/** How long to wait for a receipt (product specification, point 7). */
export const RECEIPT_TIMEOUT_MS = 300_000

/**
 * Waits for a transaction; one that its sender replaced is followed to the replacement. An unreachable chain is polled until the timeout.
 *
 * @throws AppError `transaction_reverted` (facts.reason: the decoded reason, `out of gas` or `unknown reason`), `transaction_timeout`,
 * `transaction_replaced` if the replacement does something else, `transaction_unknown` if the chain is unreachable at the end.
 */
export async function waitForReceipt(
  client: ChainReader,
  hash: Hash,
  options: { confirmations?: number; timeoutMs?: number } = {},
): Promise<TransactionReceipt> {
  const { receipt, replacement } = await throughOutages(client, hash, options)
  if (replacement === 'cancelled' || replacement === 'replaced') {
    throw new AppError<ErrorCode>('transaction_replaced', `The transaction ${hash} was ${replacement} in the wallet`, {
      facts: { hash, by: receipt.transactionHash },
    })
  }
  if (receipt.status === 'reverted') throw await revertReason(client, receipt)
  return receipt
}

async function throughOutages(client: ChainReader, hash: Hash, options: { confirmations?: number; timeoutMs?: number }) {
  const until = Date.now() + (options.timeoutMs ?? RECEIPT_TIMEOUT_MS)
  let replacement: string | undefined
  for (;;) {
    try {
      const receipt = await waitForTransactionReceipt(client, {
        hash,
        confirmations: options.confirmations ?? 1,
        timeout: Math.max(1, until - Date.now()),
        onReplaced: ({ reason }) => {
          replacement = reason
        },
      })
      return { receipt, replacement }
    } catch (error) {
      const known = toAppError(error)
      if (Date.now() >= until) throw await whyNoEnd(client, hash, known)
    }
    await new Promise((resolve) => setTimeout(resolve, client.pollingInterval))
  }
}

/** Only a chain that answers can say that a transaction is still pending. */
async function whyNoEnd(client: ChainReader, hash: Hash, late: AppError<ErrorCode>): Promise<AppError<ErrorCode>> {
  const answered = await getTransactionReceipt(client, { hash }).then(
    () => true,
    (error: Error) => error.name === 'TransactionReceiptNotFoundError',
  )
  const code = answered ? 'transaction_timeout' : 'transaction_unknown'
  return new AppError<ErrorCode>(code, late.message, { facts: { hash }, cause: late, retryable: true })
}

/** A receipt does not carry the revert reason: replays the same call on the state before its block. */
async function revertReason(client: ChainReader, receipt: TransactionReceipt): Promise<AppError<ErrorCode>> {
  let cause: AppError<ErrorCode> | undefined
  let outOfGas = false
  try {
    const transaction = await getTransaction(client, { hash: receipt.transactionHash })
    // A call keeps back a 64th of its gas from each inner call (EIP-150), so a failing one does not use up the whole limit.
    outOfGas = receipt.gasUsed >= transaction.gas - transaction.gas / 32n
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
  const known = cause && cause.code !== 'unknown' && cause.code !== 'rpc_unreachable' ? cause.code : undefined
  const reason = known ?? (outOfGas ? 'out of gas' : 'unknown reason')
  return new AppError<ErrorCode>('transaction_reverted', reason, {
    facts: { reason, hash: receipt.transactionHash, ...(cause?.facts ?? {}) },
    cause,
  })
}
