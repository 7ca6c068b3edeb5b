import { toAppError } from '@rackfair/sdk'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
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
  const text = useMessages(dialogMessages).connect
  return (
    <Dialog open onClose={onClose} title={text.title}>
      {error && toAppError(error).code === 'platform_unreachable' ? (
        <ErrorState title={text.settingsFailed} onRetry={onRetry} retrying={retrying}>
          {text.settingsFailedText}
        </ErrorState>
      ) : error ? (
        <ErrorState title={text.startFailed} details={error.message} onRetry={onRetry} retrying={retrying}>
          {text.startFailedText}
        </ErrorState>
      ) : (
        <p role="status" className="flex items-center gap-3 py-6 text-ink-2">
          <Spinner large />
          {text.starting}
        </p>
      )}
    </Dialog>
  )
}
