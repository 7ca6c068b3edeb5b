import { useMessages } from '../i18n/useMessages.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { closeDialog, openDialog } from './dialogStore.ts'
import { walletMessages } from './messages.ts'

const ROWS = [1, 2, 3, 4, 5, 6]

/** The id by which Connect Wallet opens it while the app is still loading. */
export const CONNECT_ID = 'connect'

/** Placeholder for the wallet list, until the wallet code is loaded. */
export function OpeningDialog({ open }: { open: boolean }) {
  const text = useMessages(walletMessages)
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      ahead={{ id: CONNECT_ID, onOpened: () => openDialog('connect') }}
      title={text.title}
    >
      <WalletsToCome>{text.opening}</WalletsToCome>
    </Dialog>
  )
}

export function WalletsToCome({ children }: { children: string }) {
  return (
    <div className="flex flex-col gap-3 pb-2">
      <p role="status" className="flex items-center gap-2.5 text-ink-2">
        <Spinner />
        {children}
      </p>
      {ROWS.map((row) => (
        <Skeleton key={row} size="row" />
      ))}
    </div>
  )
}
