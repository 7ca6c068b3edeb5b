import type { SessionFact } from './accountStateOf.ts'

let session: SessionFact
const listeners = new Set<() => void>()

/** Whom the platform knows this browser as, if it is `address`; another account's session counts as none. */
export function sessionOf(address: string): SessionFact {
  if (session === undefined) return undefined
  return session?.toLowerCase() === address.toLowerCase() ? session : null
}

export function getSession(): SessionFact {
  return session
}

export function setSession(next: SessionFact): void {
  session = next
  for (const listener of listeners) listener()
}

export function onSessionChange(listener: () => void): void {
  listeners.add(listener)
}
