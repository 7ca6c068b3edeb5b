import { type ComponentType, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { useMessages } from '../i18n/useMessages.ts'
import { useHasInteracted } from '../platform/loading/useHasInteracted.ts'
import { toast } from '../ui/toastStore.ts'
import { getAccountState, stopLoading } from './accountState.ts'
import { closeDialog, getDialog, subscribeDialog } from './dialogStore.ts'
import { loadWallet } from './loadWallet.ts'
import { walletMessages } from './messages.ts'
import { OpeningDialog } from './OpeningDialog.tsx'
import { WalletContext } from './WalletContext.ts'

/**
 * Reconnects the last wallet on load, and renders the wallet's dialogs. Its code is loaded at the first interaction, or when a dialog is
 * opened.
 */
export function WalletProvider({ children }: { children: ReactNode }) {
  const text = useMessages(walletMessages)
  const dialog = useSyncExternalStore(subscribeDialog, getDialog, getDialog)
  const wanted = useHasInteracted()
  const [resumed, setResumed] = useState(false)
  const [Root, setRoot] = useState<ComponentType>()
  const asked = dialog !== undefined
  useEffect(() => {
    if (getAccountState().status === 'loading') setResumed(true)
  }, [])
  useEffect(() => {
    if (Root || !(wanted || resumed || asked)) return
    loadWallet().then(
      // At once: between two dialogs nothing of the page is seen.
      (runtime) => flushSync(() => setRoot(() => runtime.WalletRoot)),
      () => {
        stopLoading()
        if (getDialog() === undefined) return
        closeDialog()
        toast({ tone: 'bad', ...text.notLoaded })
      },
    )
  }, [Root, wanted, resumed, asked, text])
  return (
    <WalletContext value={true}>
      {children}
      <OpeningDialog open={asked && !Root} />
      {Root && (
        <Suspense fallback={null}>
          <Root />
        </Suspense>
      )}
    </WalletContext>
  )
}
