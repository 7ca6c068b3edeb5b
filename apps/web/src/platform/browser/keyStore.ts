import type { WorkspaceKey } from '@rackfair/sdk/workspace'

const DATABASE = 'rackfair.workspace'
const STORE = 'keys'
/** Where the browser keeps nothing, they last as long as the page. */
const kept = new Map<string, WorkspaceKey>()

export async function readKey(name: string): Promise<WorkspaceKey | undefined> {
  return (await inStore<WorkspaceKey>('readonly', (store) => store.get(name))) ?? kept.get(name)
}

export async function writeKey(name: string, key: WorkspaceKey): Promise<void> {
  kept.set(name, key)
  await inStore('readwrite', (store) => store.put(key, name))
}

/** Whoever disconnects leaves no key behind. */
export async function forgetKeys(): Promise<void> {
  kept.clear()
  await inStore('readwrite', (store) => store.clear())
}

/** Undefined where the browser has no database for this page, or refuses it. */
function inStore<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const nothing = () => resolve(undefined)
    try {
      const opening = indexedDB.open(DATABASE, 1)
      opening.onerror = nothing
      opening.onblocked = nothing
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
      opening.onsuccess = () => {
        const database = opening.result
        const transaction = database.transaction(STORE, mode)
        const request = work(transaction.objectStore(STORE))
        transaction.onabort = nothing
        transaction.oncomplete = () => resolve(request.result)
        database.close()
      }
    } catch {
      nothing()
    }
  })
}
