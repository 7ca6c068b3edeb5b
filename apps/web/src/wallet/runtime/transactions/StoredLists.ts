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
  let data = load<Entry>(storage, key, isEntry)
  let stored = true
  const none: readonly Entry[] = []
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }

  window.addEventListener('storage', (event) => {
    if (!stored || (event.key !== key && event.key !== null)) return
    data = load(storage, key, isEntry)
    tell()
  })

  return {
    of: (account, chainId) => data[account.toLowerCase()]?.[chainId] ?? none,
    update: (account, chainId, next) => {
      if (stored) data = load(storage, key, isEntry)
      const owner = account.toLowerCase()
      data = { ...data, [owner]: { ...data[owner], [chainId]: next(data[owner]?.[chainId] ?? none) } }
      try {
        storage.setItem(key, JSON.stringify(data))
        stored = true
      } catch {
        // A full storage loses the lists after this visit, never a transaction.
        stored = false
      }
      tell()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
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
