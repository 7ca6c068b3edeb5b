import type { Address } from 'viem'
import { STORAGE_KEYS } from '../lib/storageKeys.ts'

export type AccountStatus = 'disconnected' | 'connecting' | 'connected' | 'unauthenticated' | 'loading'

/** Who is connected. `address` and `chainId` are set while unauthenticated or connected. */
export interface AccountState {
  status: AccountStatus
  /** As the wallet spells it (checksummed). Lower-case it before comparing it with answers of the platform. */
  address?: Address
  chainId?: number
  /** True while the wallet is on the chain this installation's market runs on. */
  supported: boolean
}

/** In local storage: the id of the wallet that is connected in this browser. */
export const LAST_WALLET_KEY = STORAGE_KEYS.wallet

const listeners = new Set<() => void>()
let state: AccountState = { status: readLastWallet() === undefined ? 'disconnected' : 'loading', supported: false }

export function getAccountState(): AccountState {
  return state
}

export function setAccountState(next: AccountState): void {
  const same = (Object.keys({ ...state, ...next }) as (keyof AccountState)[]).every((key) => state[key] === next[key])
  if (same) return
  state = next
  for (const listener of listeners) listener()
}

/** Nobody waits for the last wallet any longer, so one can be chosen. */
export function stopLoading(): void {
  if (state.status === 'loading') setAccountState({ status: 'disconnected', supported: false })
}

export function subscribeAccountState(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
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
