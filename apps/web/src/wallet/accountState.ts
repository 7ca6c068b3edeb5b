import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Address } from 'viem'
import { STORAGE_KEYS } from '../platform/browser/storageKeys.ts'
import { createStore } from '../ui/createStore.ts'

export type AccountStatus = 'disconnected' | 'connecting' | 'connected' | 'unauthenticated' | 'loading'

/** Who is connected. `address` and `chainId` are set while unauthenticated or connected. */
export interface AccountState {
  status: AccountStatus
  /** As the wallet spells it (checksummed), to be shown. */
  address?: Address
  /** The same as answers of the platform have it, to be compared. */
  lowerCase?: LowerCaseAddress
  chainId?: number
  /** True while the wallet is on the chain this installation's market runs on. */
  supported: boolean
}

/** In local storage: the id of the wallet that is connected in this browser. */
export const LAST_WALLET_KEY = STORAGE_KEYS.wallet

const state = createStore<AccountState>({ status: readLastWallet() === undefined ? 'disconnected' : 'loading', supported: false })

export const getAccountState = state.get
export const subscribeAccountState = state.subscribe

export function setAccountState(next: AccountState): void {
  const before = state.get()
  const same = (Object.keys({ ...before, ...next }) as (keyof AccountState)[]).every((key) => before[key] === next[key])
  if (!same) state.set(next)
}

/** The last wallet is no longer waited for, so one can be chosen. */
export function stopLoading(): void {
  if (state.get().status === 'loading') setAccountState({ status: 'disconnected', supported: false })
}

/** The id of the wallet that was connected when this page was last open; its connection is taken up again. */
export function readLastWallet(): string | undefined {
  try {
    return localStorage.getItem(LAST_WALLET_KEY) ?? undefined
  } catch {
    return undefined
  }
}

export function writeLastWallet(id: string | undefined): void {
  try {
    if (id === undefined) localStorage.removeItem(LAST_WALLET_KEY)
    else localStorage.setItem(LAST_WALLET_KEY, id)
  } catch {
    // Without storage the wallet has to be chosen anew on the next visit.
  }
}
