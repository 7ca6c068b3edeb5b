import type { ConfigAnswer } from '@rackfair/protocol/config'
import type { Config } from 'wagmi'
import type { AuthAdapter } from '../signIn/AuthAdapter.ts'
import type { TransactionStore } from '../transactions/TransactionStore.ts'
import type { OfferedGroup } from '../wallets/catalogue.ts'

/** Everything the wallet dialogs work with; there is one per page. */
export interface WalletRuntime {
  wagmi: Config
  installation: ConfigAnswer
  /** Wallets that are offered to those who have none. */
  catalogue: readonly OfferedGroup[]
  transactions: TransactionStore
  auth: AuthAdapter | undefined
  /** Lists a wallet that has come to the window since. */
  lookForWallets: () => void
}
