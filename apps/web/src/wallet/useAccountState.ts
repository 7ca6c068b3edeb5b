import { useSyncExternalStore } from 'react'
import { type AccountState, getAccountState, subscribeAccountState } from './accountState.ts'
import { useWalletContext } from './WalletContext.ts'

const NOBODY: AccountState = { status: 'disconnected', supported: false }

/** Who is connected, without loading any wallet code. */
export function useAccountState(): AccountState {
  useWalletContext('useAccountState')
  return useSyncExternalStore(subscribeAccountState, getAccountState, () => NOBODY)
}
