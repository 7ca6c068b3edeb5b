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
 * What a change of the connection does to the open dialog: a successful connect closes it, except that the connect dialog
 * stays for the sign-in while unauthenticated; a disconnect closes every dialog.
 */
export function dialogAfter(open: WalletDialog | undefined, before: AccountState, after: AccountState): WalletDialog | undefined {
  if (after.status === 'unauthenticated' && before.status !== 'unauthenticated') return open === 'connect' ? 'connect' : open
  if (after.status === 'disconnected' && before.status !== 'disconnected' && before.status !== 'connecting') return undefined
  if (after.status === 'connected' && before.status !== 'connected') return undefined
  if (open === 'account' && !mayOpen('account', after)) return undefined
  return open
}
