import { type ComponentType, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { useHasInteracted } from '../lib/useHasInteracted.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { toast } from '../ui/toastStore.ts'
import { getAccountState, stopLoading } from './accountState.ts'
import { closeDialog, getDialog, subscribeDialog } from './dialogStore.ts'
import { loadWallet } from './loadWallet.ts'
import { walletMessages } from './messages.ts'
import { WalletContext } from './WalletContext.ts'

/** Connects the last wallet again on load, and draws the wallet's dialogs. Its code arrives at the first sign of a person, or when a dialog is asked for. */
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
      (runtime) => setRoot(() => runtime.WalletRoot),
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
      {Root ? (
        <Suspense fallback={null}>
          <Root />
        </Suspense>
      ) : (
        asked && (
          <p
            role="status"
            className="fixed inset-x-0 top-18 z-50 mx-auto flex w-fit items-center gap-2.5 rounded-md border border-line-2 bg-raised px-4 py-3 shadow-pop"
          >
            <Spinner />
            {text.opening}
          </p>
        )
      )}
    </WalletContext>
  )
}
