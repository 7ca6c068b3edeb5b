import { useSyncExternalStore } from 'react'
import { type AccountState, getAccountState, subscribeAccountState } from './accountState.ts'
import { useWalletContext } from './WalletContext.ts'

/** Who is connected, without loading any wallet code. */
export function useAccountState(): AccountState {
  useWalletContext('useAccountState')
  return useSyncExternalStore(subscribeAccountState, getAccountState, getAccountState)
}
