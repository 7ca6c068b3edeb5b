import { toWorkspaceError } from '@rackfair/sdk/workspace'
import { useEffect, useState } from 'react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { useErrorToast } from '../../../platform/errors/useErrorToast.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import type { WorkspaceTabProps } from '../page/WorkspaceGate.tsx'
import { downloadLog } from './downloadLog.ts'
import { LogView } from './LogView.tsx'
import { logMessages } from './messages.ts'
import { useLog } from './useLog.ts'

/** What the machine did for the order and what its application wrote. */
export function LogsTab({ order, workspace, services, lock }: WorkspaceTabProps) {
  const text = useMessages(logMessages)
  const errorText = useErrorText()
  const showError = useErrorToast()
  const { log, state, error, again } = useLog(workspace, services)
  const [downloading, setDownloading] = useState(false)
  const isLocked = error?.code === 'key_revoked' || error?.code === 'key_expired'
  useEffect(() => {
    if (isLocked) lock()
  }, [isLocked, lock])
  const download = async () => {
    setDownloading(true)
    try {
      await downloadLog(workspace, order.id, services)
    } catch (cause) {
      showError(toWorkspaceError(cause), { title: text.downloadFailed })
    } finally {
      setDownloading(false)
    }
  }
  if (error && log.lines.length === 0)
    return (
      <div className="p-5">
        <ErrorState title={text.failed} details={errorText(error).details} onRetry={again}>
          {errorText(error).full}
        </ErrorState>
      </div>
    )
  return (
    <LogView
      log={log}
      services={services}
      version={log.version}
      state={error ? { is: 'ended' } : state}
      downloading={downloading}
      onDownload={() => void download()}
    />
  )
}
