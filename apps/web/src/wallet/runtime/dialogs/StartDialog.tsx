import { useMessages } from '../../../i18n/useMessages.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { dialogMessages } from './messages.ts'

/** Stands until the installation's settings are known. */
export function StartDialog({
  onClose,
  failed,
  retrying,
  onRetry,
}: {
  onClose: () => void
  failed: boolean
  retrying: boolean
  onRetry: () => void
}) {
  const text = useMessages(dialogMessages).connect
  return (
    <Dialog open onClose={onClose} title={text.title}>
      {failed ? (
        <ErrorState title={text.settingsFailed} onRetry={onRetry} retrying={retrying}>
          {text.settingsFailedText}
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
