import { openDialog } from './dialogStore.ts'
import { useWalletContext } from './WalletContext.ts'

const openChain = () => openDialog('chain')

/** Opens the dialog of networks; does nothing while nobody is connected. */
export function useOpenChain(): () => void {
  useWalletContext('useOpenChain')
  return openChain
}
