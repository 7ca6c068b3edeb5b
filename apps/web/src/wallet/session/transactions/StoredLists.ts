import { lowerCaseAddress } from '@rackfair/rules/address'
import { createStore } from '../../../ui/createStore.ts'

/** Lists in this browser, per account and chain. */
type Data<Entry> = Readonly<Record<string, Readonly<Record<string, readonly Entry[]>>>>

export interface StoredLists<Entry> {
  /** The same array until something changes. */
  of: (account: string, chainId: number) => readonly Entry[]
  update: (account: string, chainId: number, next: (list: readonly Entry[]) => readonly Entry[]) => void
  subscribe: (listener: () => void) => () => void
}

/**
 * Every tab of this browser shares the lists: they are read again before each change, and whenever another tab has changed them.
 * What is not an entry is left out. While the storage takes nothing, this tab keeps its own lists.
 */
export function createStoredLists<Entry>(
  key: string,
  isEntry: (entry: unknown) => boolean,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): StoredLists<Entry> {
  const data = createStore<Data<Entry>>(load(storage, key, isEntry))
  let stored = true
  const none: readonly Entry[] = []

  window.addEventListener('storage', (event) => {
    if (!stored || (event.key !== key && event.key !== null)) return
    data.set(load(storage, key, isEntry))
  })

  return {
    of: (account, chainId) => data.get()[lowerCaseAddress(account)]?.[chainId] ?? none,
    update: (account, chainId, next) => {
      const before: Data<Entry> = stored ? load(storage, key, isEntry) : data.get()
      const owner = lowerCaseAddress(account)
      const after: Data<Entry> = { ...before, [owner]: { ...before[owner], [chainId]: next(before[owner]?.[chainId] ?? none) } }
      try {
        storage.setItem(key, JSON.stringify(after))
        stored = true
      } catch {
        // A full storage loses the lists after this visit, never a transaction.
        stored = false
      }
      data.set(after)
    },
    subscribe: data.subscribe,
  }
}

function load<Entry>(storage: Pick<Storage, 'getItem'>, key: string, isEntry: (entry: unknown) => boolean): Data<Entry> {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    const clean: Record<string, Record<string, readonly Entry[]>> = {}
    for (const [account, chains] of Object.entries(stored as Record<string, Record<string, unknown>>)) {
      for (const [chain, list] of Object.entries(chains ?? {})) {
        if (!Array.isArray(list)) continue
        clean[account] = { ...clean[account], [chain]: list.filter(isEntry) }
      }
    }
    return clean
  } catch {
    return {}
  }
}
