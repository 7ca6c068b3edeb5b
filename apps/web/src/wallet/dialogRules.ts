import type { AccountState } from './accountState.ts'

export type WalletDialog = 'connect' | 'account' | 'chain'

/** Who may open which dialog (product specification, point 4). */
export function mayOpen(dialog: WalletDialog, account: AccountState): boolean {
  switch (dialog) {
    case 'connect':
      return account.status === 'disconnected' || account.status === 'unauthenticated'
    case 'account':
      return account.status === 'connected' && account.supported
    case 'chain':
      return account.status === 'connected'
  }
}

/**
 * What a change of the connection does to the open dialog: a successful connect closes it, except that while unauthenticated
 * it is the sign-in; a disconnect closes every dialog; one that may no longer be opened closes.
 */
export function dialogAfter(open: WalletDialog | undefined, before: AccountState, after: AccountState): WalletDialog | undefined {
  if (after.status === 'unauthenticated' && before.status !== 'unauthenticated') return open && 'connect'
  if (after.status === 'disconnected' && before.status !== 'disconnected' && before.status !== 'connecting') return undefined
  if (after.status === 'connected' && before.status !== 'connected') return undefined
  if ((open === 'account' || open === 'chain') && !mayOpen(open, after)) return undefined
  return open
}
