import { createStore } from '../ui/createStore.ts'
import { getAccountState, subscribeAccountState } from './accountState.ts'
import { dialogAfter, mayOpen, type WalletDialog } from './dialogRules.ts'

const open = createStore<WalletDialog | undefined>(undefined)
let before = getAccountState()

export const getDialog = open.get
export const subscribeDialog = open.subscribe

/** Opens a dialog if the state of the connection allows it. */
export function openDialog(dialog: WalletDialog): void {
  if (mayOpen(dialog, getAccountState())) open.set(dialog)
}

export function closeDialog(): void {
  open.set(undefined)
}

subscribeAccountState(() => {
  const after = getAccountState()
  open.set(dialogAfter(open.get(), before, after))
  before = after
})
