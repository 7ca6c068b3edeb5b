import { useSyncExternalStore } from 'react'
import { getDialog, subscribeDialog } from './dialogStore.ts'

const isOpen = () => getDialog() === 'connect'

/** True while the dialog to connect or to sign in is open. */
export function useIsConnecting(): boolean {
  return useSyncExternalStore(subscribeDialog, isOpen, () => false)
}
