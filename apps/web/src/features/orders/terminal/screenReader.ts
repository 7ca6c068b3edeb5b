import { useSyncExternalStore } from 'react'
import { createStore } from '../../../ui/createStore.ts'

const KEY = 'rackfair.screenReader'
const current = createStore(readStored())

/** Whether terminals write each line for screen readers, in every window of this browser that is opened from now on. */
export function setScreenReader(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(KEY, '1')
    else localStorage.removeItem(KEY)
  } catch {
    // A browser that refuses storage still switches for this visit.
  }
  current.set(isOn)
}

export const useScreenReader = (): boolean => useSyncExternalStore(current.subscribe, current.get)

function readStored(): boolean {
  try {
    return localStorage.getItem(KEY) === '1'
  } catch {
    return false
  }
}
