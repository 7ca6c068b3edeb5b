import type { ConfigAnswer } from '@rackfair/core/wire'
import type { Config } from 'wagmi'
import type { AuthAdapter } from '../signIn/AuthAdapter.ts'
import type { TransactionStore } from '../transactions/TransactionStore.ts'

/** Everything the wallet dialogs work with; there is one per page. */
export interface WalletRuntime {
  wagmi: Config
  installation: ConfigAnswer
  transactions: TransactionStore
  auth: AuthAdapter | undefined
}
