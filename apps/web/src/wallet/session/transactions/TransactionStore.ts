import type { Hex } from 'viem'
import { createStoredLists } from './StoredLists.ts'
import { type NewTransaction, problemsOf, type StoredTransaction, type WaitingBatch } from './StoredTransaction.ts'

const KEY = 'rackfair.transactions'
const BATCHES_KEY = 'rackfair.batches'
/** Settled transactions that are kept per address and chain. */
export const SETTLED_KEPT = 10

export type TransactionStore = ReturnType<typeof createTransactionStore>

/** Transactions per address and chain, newest first, and the batches whose transaction is not known yet, in this browser. */
export function createTransactionStore(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const lists = createStoredLists<StoredTransaction>(KEY, (entry) => problemsOf(entry ?? {}).length === 0, storage)
  const batches = createStoredLists<WaitingBatch>(BATCHES_KEY, isBatch, storage)

  const change = (account: string, chainId: number, hash: string, facts: Partial<StoredTransaction>) =>
    lists.update(account, chainId, (list) => keep(list.map((entry) => (entry.hash === hash ? { ...entry, ...facts } : entry))))

  return {
    of: lists.of,
    subscribe: lists.subscribe,
    /** @throws with every problem of the transaction. One that is known already is replaced. */
    add: (account: string, chainId: number, transaction: NewTransaction) => {
      const problems = problemsOf(transaction)
      if (problems.length > 0) throw new Error(['Unable to add transaction', ...problems].join('\n'))
      lists.update(account, chainId, (list) =>
        keep([{ ...transaction, status: 'pending' }, ...list.filter((other) => other.hash !== transaction.hash)]),
      )
    },
    /** `mined`: the hash under which the chain has it, where the wallet had named another. */
    settle: (account: string, chainId: number, hash: string, status: StoredTransaction['status'], mined?: Hex) =>
      change(account, chainId, hash, { status, ...(mined === undefined ? {} : { hash: mined }) }),
    setNonce: (account: string, chainId: number, hash: string, nonce: number) => change(account, chainId, hash, { nonce }),
    /** Forgets what is settled. */
    clear: (account: string, chainId: number) =>
      lists.update(account, chainId, (list) => list.filter((entry) => entry.status === 'pending')),
    batches: {
      of: batches.of,
      subscribe: batches.subscribe,
      add: (account: string, chainId: number, batch: WaitingBatch) =>
        batches.update(account, chainId, (list) => [batch, ...list.filter((other) => other.id !== batch.id)]),
      remove: (account: string, chainId: number, id: string) =>
        batches.update(account, chainId, (list) => list.filter((other) => other.id !== id)),
    },
  }
}

function keep(list: readonly StoredTransaction[]): StoredTransaction[] {
  let settled = 0
  return list.filter((entry) => entry.status === 'pending' || ++settled <= SETTLED_KEPT)
}

function isBatch(entry: unknown): boolean {
  const { id, description } = (entry ?? {}) as Partial<Record<keyof WaitingBatch, unknown>>
  return typeof id === 'string' && typeof description === 'string'
}
