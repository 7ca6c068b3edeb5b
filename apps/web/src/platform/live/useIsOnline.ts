import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** False while this device has no network. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribe, isOnline, isOnline)
}

const subscribe = (listener: () => void) => onlineManager.subscribe(listener)
const isOnline = () => onlineManager.isOnline()
