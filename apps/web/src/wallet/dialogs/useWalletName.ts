import { useMessages } from '../../i18n/useMessages.ts'
import { BROWSER_WALLET_ID, DEVELOPMENT_WALLET_ID } from '../session/wallets/catalogue.ts'
import type { WalletDescriptor } from '../session/wallets/WalletDescriptor.ts'
import { dialogMessages } from './messages.ts'

/** What a wallet is called here: other people's wallets by their own name, ours in the person's language. */
export function useWalletName(): (wallet: WalletDescriptor) => string {
  const { developmentName, browserName } = useMessages(dialogMessages).connect
  return ({ id, name }) => (id === DEVELOPMENT_WALLET_ID ? developmentName : id === BROWSER_WALLET_ID ? browserName : name)
}
