/** A value outside of React that screens follow with `useSyncExternalStore(store.subscribe, store.get)`. */
export interface Store<Value> {
  get: () => Value
  /** Subscribers are not notified if the value is unchanged. */
  set: (next: Value) => void
  subscribe: (listener: () => void) => () => void
}

/** @example const open = createStore(false) */
export function createStore<Value>(first: Value): Store<Value> {
  const listeners = new Set<() => void>()
  let value = first
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
