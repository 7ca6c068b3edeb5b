import { type NewTransaction, problemsOf, type StoredTransaction } from './StoredTransaction.ts'

const KEY = 'rackfair.transactions'
/** Settled transactions that are kept per address and chain. */
export const SETTLED_KEPT = 10

export type TransactionStore = ReturnType<typeof createTransactionStore>
type Data = Record<string, Record<string, StoredTransaction[]>>

/** Transactions per address and chain, newest first, in this browser. */
export function createTransactionStore(storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage) {
  let data = load(storage)
  const listeners = new Set<() => void>()

  const of = (account: string, chainId: number): readonly StoredTransaction[] => data[account.toLowerCase()]?.[chainId] ?? NONE

  const update = (account: string, chainId: number, next: (list: readonly StoredTransaction[]) => StoredTransaction[]) => {
    const owner = account.toLowerCase()
    data = { ...data, [owner]: { ...data[owner], [chainId]: keep(next(of(owner, chainId))) } }
    try {
      storage.setItem(KEY, JSON.stringify(data))
    } catch {
      // A full storage loses the list after this visit, never a transaction.
    }
    for (const listener of listeners) listener()
  }

  return {
    of,
    /** @throws with every problem of the transaction. One that is known already is replaced. */
    add: (account: string, chainId: number, transaction: NewTransaction) => {
      const problems = problemsOf(transaction)
      if (problems.length > 0) throw new Error(['Unable to add transaction', ...problems].join('\n'))
      update(account, chainId, (list) => [
        { ...transaction, status: 'pending' },
        ...list.filter((other) => other.hash !== transaction.hash),
      ])
    },
    settle: (account: string, chainId: number, hash: string, status: StoredTransaction['status']) =>
      update(account, chainId, (list) => list.map((entry) => (entry.hash === hash ? { ...entry, status } : entry))),
    /** Forgets what is settled. */
    clear: (account: string, chainId: number) =>
      update(account, chainId, (list) => list.filter((entry) => entry.status === 'pending')),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

const NONE: readonly StoredTransaction[] = []

function keep(list: readonly StoredTransaction[]): StoredTransaction[] {
  let settled = 0
  return list.filter((entry) => entry.status === 'pending' || ++settled <= SETTLED_KEPT)
}

function load(storage: Pick<Storage, 'getItem'>): Data {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    const clean: Data = {}
    for (const [account, chains] of Object.entries(stored as Record<string, Record<string, unknown>>)) {
      for (const [chain, list] of Object.entries(chains ?? {})) {
        if (!Array.isArray(list)) continue
        clean[account] = { ...clean[account], [chain]: list.filter((entry) => problemsOf(entry ?? {}).length === 0) }
      }
    }
    return clean
  } catch {
    return {}
  }
}
