import { useMessages } from '../../../i18n/useMessages.ts'
import { DEVELOPMENT_WALLET_ID } from '../wallets/catalogue.ts'
import type { WalletDescriptor } from '../wallets/WalletDescriptor.ts'
import { dialogMessages } from './messages.ts'

/** What a wallet is called here: other people's wallets by their own name, ours in the person's language. */
export function useWalletName(): (wallet: WalletDescriptor) => string {
  const { developmentName } = useMessages(dialogMessages).connect
  return (wallet) => (wallet.id === DEVELOPMENT_WALLET_ID ? developmentName : wallet.name)
}
