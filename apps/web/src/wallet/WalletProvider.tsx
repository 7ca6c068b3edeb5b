import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { whenWanted } from '../lib/whenWanted.ts'
import { getAccountState } from './accountState.ts'
import { getDialog, subscribeDialog } from './dialogStore.ts'
import { loadWallet } from './loadWallet.ts'
import { WalletContext } from './WalletContext.ts'

const WalletRoot = lazy(() => loadWallet().then((runtime) => ({ default: runtime.WalletRoot })))

/** Connects the last wallet again on load, and draws the wallet's dialogs. Its code arrives at the first sign of a person, or when a dialog is asked for. */
export function WalletProvider({ children }: { children: ReactNode }) {
  const dialog = useSyncExternalStore(subscribeDialog, getDialog, getDialog)
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (getAccountState().status === 'loading') {
      setWanted(true)
      return
    }
    return whenWanted(() => setWanted(true))
  }, [])
  return (
    <WalletContext value={true}>
      {children}
      {(wanted || dialog !== undefined) && (
        <Suspense fallback={null}>
          <WalletRoot />
        </Suspense>
      )}
    </WalletContext>
  )
}
