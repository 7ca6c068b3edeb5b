import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { getAccountState } from './accountState.ts'
import { getDialog, subscribeDialog } from './dialogStore.ts'
import { loadWallet } from './loadWallet.ts'
import { WalletContext } from './WalletContext.ts'

const WalletRoot = lazy(() => loadWallet().then((runtime) => ({ default: runtime.WalletRoot })))

/** Connects the last wallet again on load, and draws the wallet's dialogs. Its code arrives when the page is idle or a dialog is asked for. */
export function WalletProvider({ children }: { children: ReactNode }) {
  const dialog = useSyncExternalStore(subscribeDialog, getDialog, getDialog)
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    if (getAccountState().status === 'loading') {
      setIdle(true)
      return
    }
    const arrive = () => setIdle(true)
    if ('requestIdleCallback' in window) {
      const handle = window.requestIdleCallback(arrive, { timeout: 4000 })
      return () => window.cancelIdleCallback(handle)
    }
    const timer = setTimeout(arrive, 2000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <WalletContext value={true}>
      {children}
      {(idle || dialog !== undefined) && (
        <Suspense fallback={null}>
          <WalletRoot />
        </Suspense>
      )}
    </WalletContext>
  )
}
