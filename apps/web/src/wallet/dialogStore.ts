import { getAccountState, subscribeAccountState } from './accountState.ts'
import { dialogAfter, mayOpen, type WalletDialog } from './dialogRules.ts'

const listeners = new Set<() => void>()
let open: WalletDialog | undefined
let before = getAccountState()

export function getDialog(): WalletDialog | undefined {
  return open
}

/** Opens a dialog if the state of the connection allows it. */
export function openDialog(dialog: WalletDialog): void {
  if (mayOpen(dialog, getAccountState())) set(dialog)
}

export function closeDialog(): void {
  set(undefined)
}

export function subscribeDialog(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

subscribeAccountState(() => {
  const after = getAccountState()
  set(dialogAfter(open, before, after))
  before = after
})

function set(next: WalletDialog | undefined): void {
  if (next === open) return
  open = next
  for (const listener of listeners) listener()
}
