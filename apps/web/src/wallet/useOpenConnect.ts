import { openDialog } from './dialogStore.ts'
import { useWalletContext } from './WalletContext.ts'

const openConnect = () => openDialog('connect')

/** Opens the connect dialog; does nothing while somebody is connected. */
export function useOpenConnect(): () => void {
  useWalletContext('useOpenConnect')
  return openConnect
}
