import { lowerCaseAddress } from '@rackfair/rules/address'
import { shortAddress } from '@rackfair/rules/text/shortText'
import { useSyncExternalStore } from 'react'
import { createStore } from '../../ui/createStore.ts'
import { MAX_NAME } from './keyForm.ts'

const KEY = 'rackfair.keys'
/** Names that are kept, the newest. */
const MAX_NAMES = 500

const store = createStore<ReadonlyMap<string, string>>(readKept())

/** Names of keys by their address in lower case. They stay in this browser: the chain knows the address only. */
export function useKeyNames(): { nameOf: (key: string) => string; setName: (key: string, name: string) => void } {
  const names = useSyncExternalStore(store.subscribe, store.get)
  return {
    nameOf: (key) => names.get(lowerCaseAddress(key)) ?? shortAddress(key),
    setName(key, name) {
      const next = new Map(store.get())
      next.delete(lowerCaseAddress(key))
      next.set(lowerCaseAddress(key), name)
      store.set(new Map([...next].slice(-MAX_NAMES)))
      try {
        localStorage.setItem(KEY, JSON.stringify([...store.get()]))
      } catch {
        // Without it the address stands for the key after a reload.
      }
    },
  }
}

function readKept(): ReadonlyMap<string, string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(kept)) return new Map()
    return new Map(
      kept.flatMap((entry: unknown) =>
        Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string'
          ? [[entry[0], entry[1].slice(0, MAX_NAME)] as const]
          : [],
      ),
    )
  } catch {
    return new Map()
  }
}
