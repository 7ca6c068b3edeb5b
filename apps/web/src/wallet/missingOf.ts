import type { AccountState } from './accountState.ts'

/** What is missing before a screen that needs a wallet can be used; undefined when nothing is. */
export function missingOf(account: AccountState): 'wait' | 'wallet' | 'signIn' | 'network' | undefined {
  switch (account.status) {
    case 'loading':
      return 'wait'
    case 'disconnected':
    case 'connecting':
      return 'wallet'
    case 'unauthenticated':
      return 'signIn'
    case 'connected':
      return account.supported ? undefined : 'network'
  }
}
