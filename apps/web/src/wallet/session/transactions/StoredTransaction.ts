import type { Hex } from 'viem'
import type { Sent } from './follow.ts'

/** What a transaction needs to be found by, whatever hash it gets in the end. */
interface Traces {
  /** The newest block before the wallet was asked. */
  sinceBlock?: string
  /** The account's next nonce then, if it is an ordinary one. */
  firstNonce?: number
  to?: string
  data?: string
  /** Wei of the chain's own currency. */
  value?: string
}

/** A transaction that this browser sent (product specification, point 3). */
export interface StoredTransaction extends Traces {
  hash: Hex
  description: string
  confirmations?: number
  /** `unknown`: the chain has not shown it in time. It is still watched, for it may be carried out at any time. */
  status: 'pending' | 'confirmed' | 'failed' | 'unknown'
  /** As the chain knows it under this hash. */
  nonce?: number
}

export type NewTransaction = Omit<StoredTransaction, 'status'>

/** Calls that the wallet has taken as one (EIP-5792), or may have sent without saying so. The chain names the transaction once that is done. */
export interface WaitingBatch extends Traces {
  /** The wallet's own name for it, unless it is `unnamed`. */
  id: string
  description: string
  /** The wallet knows nothing by this name. */
  unnamed?: true
  /** The chain has not shown it in time. It is still watched. */
  unknown?: true
}

/** An entry as it is followed. Strange entries of the storage are followed by what they have. */
export function sentOf(entry: Traces & { nonce?: number; confirmations?: number; hash?: Hex }): Sent {
  const { hash, nonce, confirmations, to, data, value } = entry
  const sinceBlock = /^\d{1,15}$/.test(entry.sinceBlock ?? '') ? entry.sinceBlock : undefined
  const firstNonce = Number.isSafeInteger(entry.firstNonce) ? entry.firstNonce : undefined
  const isCall = /^0x[0-9a-f]{40}$/i.test(to ?? '') && /^0x(?:[0-9a-f]{2})*$/i.test(data ?? '')
  const call = isCall
    ? { to: to as Hex, data: data as Hex, value: /^\d+$/.test(value ?? '') ? BigInt(value as string) : 0n }
    : undefined
  return { hash, nonce, confirmations, sinceBlock, firstNonce, call }
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
