import { loadWallet } from './loadWallet.ts'
import { useWalletContext } from './WalletContext.ts'

const canBatch = async () => (await loadWallet()).canBatch()

/** Whether the connected wallet sends several calls as one atomic batch (EIP-5792), so that a fee needs no approval of its own. */
export function useCanBatch(): () => Promise<boolean> {
  useWalletContext('useCanBatch')
  return canBatch
}
