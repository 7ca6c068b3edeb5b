import { toWalletError } from '@rackfair/sdk/walletError'
import { useMessages } from '../../i18n/useMessages.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { walletMessages } from '../messages.ts'
import { WalletsToCome } from '../OpeningDialog.tsx'
import { dialogMessages } from './messages.ts'

/** Stands until the installation's settings are known and the wallet side has started. */
export function StartDialog({
  onClose,
  error,
  retrying,
  onRetry,
}: {
  onClose: () => void
  error: Error | null
  retrying: boolean
  onRetry: () => void
}) {
  const { title } = useMessages(walletMessages)
  const text = useMessages(dialogMessages).connect
  return (
    <Dialog open onClose={onClose} title={title}>
      {error && toWalletError(error).code === 'platform_unreachable' ? (
        <ErrorState title={text.settingsFailed} onRetry={onRetry} retrying={retrying}>
          {text.settingsFailedText}
        </ErrorState>
      ) : error ? (
        <ErrorState title={text.startFailed} details={error.message} onRetry={onRetry} retrying={retrying}>
          {text.startFailedText}
        </ErrorState>
      ) : (
        <WalletsToCome>{text.starting}</WalletsToCome>
      )}
    </Dialog>
  )
}
