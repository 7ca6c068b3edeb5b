import type { Hex } from 'viem'

/** A transaction that this browser sent (product specification, point 3). */
export interface StoredTransaction {
  hash: Hex
  description: string
  confirmations?: number
  status: 'pending' | 'confirmed' | 'failed'
  /** What the same nonce needs to be found by, once the wallet has replaced it. */
  nonce?: number
  sinceBlock?: string
  to?: string
  data?: string
}

export type NewTransaction = Omit<StoredTransaction, 'status'>

/** Calls that the wallet has taken as one (EIP-5792). It names the transaction only once that is done. */
export interface WaitingBatch {
  /** The wallet's own name for it. */
  id: string
  description: string
}

/** The problems of a transaction that is to be stored, in the specification's words. */
export function problemsOf(transaction: { hash?: unknown; description?: unknown; confirmations?: unknown }): string[] {
  const problems: string[] = []
  if (typeof transaction.hash !== 'string' || !/^0x([A-Fa-f0-9]{64})$/.test(transaction.hash))
    problems.push('Invalid transaction hash')
  if (typeof transaction.description !== 'string') problems.push('Transaction must have a description')
  const { confirmations } = transaction
  if (confirmations !== undefined && (!Number.isInteger(confirmations) || (confirmations as number) < 1))
    problems.push('Transaction confirmations must be a positiver integer')
  return problems
}
