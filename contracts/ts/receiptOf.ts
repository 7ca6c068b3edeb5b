import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'

const TIMEOUT_MS = 180_000

/**
 * Polls for the receipt of a transaction, every `intervalMs`. Throws viem's TransactionReceiptNotFoundError after three minutes. viem's own
 * wait polls once per block, which never ends on a chain that mines only with the next transaction.
 */
export async function receiptOf(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
  intervalMs = 200,
): Promise<TransactionReceipt> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || performance.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}
