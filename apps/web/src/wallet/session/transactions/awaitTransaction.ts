import { AppError } from '@rackfair/rules/errors/AppError'
import { type ErrorCode, RECEIPT_TIMEOUT_MS, waitForReceipt } from '@rackfair/sdk'
import type { Address, Hash, TransactionReceipt } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import type { Market } from '../../market.ts'
import { findByNonce } from './findByNonce.ts'

const WATCH_MS = 2500

/** A transaction to wait for, and what its replacement is known by. */
interface AwaitedTransaction {
  hash: Hash
  confirmations?: number | undefined
  nonce?: number | undefined
  sinceBlock?: string | undefined
  to?: string | undefined
  data?: string | undefined
}

/**
 * Waits for a transaction for at most 300 s. A replacement that does the same counts as it; any other use of its nonce
 * throws `transaction_replaced`. A revert throws `transaction_reverted` with its reason.
 */
export async function awaitTransaction(
  client: Market['client'],
  from: Address,
  transaction: AwaitedTransaction,
  timeoutMs = RECEIPT_TIMEOUT_MS,
): Promise<TransactionReceipt> {
  const watch = watchNonce(client, from, transaction)
  try {
    return await Promise.race([
      waitForReceipt(client, transaction.hash, {
        timeoutMs,
        ...(transaction.confirmations === undefined ? {} : { confirmations: transaction.confirmations }),
      }),
      watch.replaced,
    ])
  } finally {
    watch.stop()
  }
}

/** viem sees a replacement only while the node still remembers the original. After a reload only the nonce tells. */
function watchNonce(client: Market['client'], from: Address, transaction: AwaitedTransaction) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const replaced = new Promise<TransactionReceipt>((resolve, reject) => {
    const look = async () => {
      const other =
        transaction.nonce === undefined ? undefined : await findByNonce(client, from, transaction.nonce, transaction.sinceBlock)
      if (other && other.hash !== transaction.hash) {
        const same = other.to?.toLowerCase() === transaction.to?.toLowerCase() && other.input === (transaction.data ?? '0x')
        if (!same)
          throw new AppError<ErrorCode>('transaction_replaced', `Another transaction used nonce ${transaction.nonce}`, {
            facts: { hash: transaction.hash, by: other.hash },
          })
        const receipt = await getTransactionReceipt(client, { hash: other.hash })
        return resolve(receipt.status === 'reverted' ? waitForReceipt(client, other.hash) : receipt)
      }
      if (!stopped) timer = setTimeout(run, WATCH_MS)
    }
    const run = () =>
      look().catch((error: unknown) => {
        if (error instanceof AppError) reject(error)
        else if (!stopped) timer = setTimeout(run, WATCH_MS)
      })
    timer = setTimeout(run, WATCH_MS)
  })
  replaced.catch(() => undefined)
  return {
    replaced,
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
