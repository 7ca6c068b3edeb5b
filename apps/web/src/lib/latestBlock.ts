import { useSyncExternalStore } from 'react'

export interface LatestBlock {
  number: number
  /** Unix seconds. */
  time: number
}

const listeners = new Set<() => void>()
let latest: LatestBlock | undefined

export function noteLatestBlock(number: number, time: number): void {
  if (latest && latest.number >= number) return
  latest = { number, time }
  for (const listener of listeners) listener()
}

/** The newest block the live updates have named; undefined before the first. Costs no request. */
export function useLatestBlock(): LatestBlock | undefined {
  return useSyncExternalStore(subscribe, getLatest, () => undefined)
}

const getLatest = () => latest

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
