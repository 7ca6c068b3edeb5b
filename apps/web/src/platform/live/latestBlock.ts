import { useSyncExternalStore } from 'react'
import { createStore } from '../../ui/createStore.ts'

export interface LatestBlock {
  number: number
  /** Unix seconds. */
  time: number
}

const latest = createStore<LatestBlock | undefined>(undefined)

export function noteLatestBlock(number: number, time: number): void {
  if (number > (latest.get()?.number ?? -1)) latest.set({ number, time })
}

/** The newest block the live updates have named; undefined before the first. Costs no request. */
export function useLatestBlock(): LatestBlock | undefined {
  return useSyncExternalStore(latest.subscribe, latest.get, () => undefined)
}
