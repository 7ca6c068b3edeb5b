import { lowerCaseAddress } from '@rackfair/rules/address'
import { createStore } from '../../../ui/createStore.ts'
import type { SessionFact } from './accountStateOf.ts'

const store = createStore<SessionFact>(undefined)

/** Whom the platform knows this browser as, if it is `address`; another account's session counts as none. */
export function sessionOf(address: string): SessionFact {
  const session = store.get()
  if (session === undefined || session === null) return session
  return lowerCaseAddress(session) === lowerCaseAddress(address) ? session : null
}

export const getSession = store.get
export const setSession = store.set
export const onSessionChange = store.subscribe
