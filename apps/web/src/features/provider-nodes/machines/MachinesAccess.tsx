import { useState } from 'react'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import type { MachinesRead } from '../../../entities/workspace/useMachines.ts'
import type { WorkspaceState } from '../../../entities/workspace/useWorkspace.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Button } from '../../../ui/Button.tsx'
import { ownNodeMessages } from '../messages.ts'

interface MachinesAccessProps {
  state: WorkspaceState
  read: MachinesRead
}

/** Why use and heat are not shown, and what shows them; nothing once they are. */
export function MachinesAccess({ state, read }: MachinesAccessProps) {
  const shared = useMessages(providerTexts)
  const text = useMessages(ownNodeMessages).machines
  const errorText = useErrorText()
  const [asking, setAsking] = useState(false)
  const line = (sentence: string, action?: { label: string; onClick: () => void; pending?: boolean }) => (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-md bg-sunk px-3 py-2 text-xs text-ink-2">
      <span className="min-w-0 flex-1 basis-64">{sentence}</span>
      {action && (
        <Button size="sm" pending={action.pending ?? false} onClick={action.onClick}>
          {action.label}
        </Button>
      )}
    </div>
  )
  if (state.status === 'unavailable') return line(text.unavailable)
  if (state.status === 'failed') return line(errorText(state.error).full, { label: shared.retry, onClick: state.retry })
  if (state.status === 'locked') {
    const unlock = async () => {
      setAsking(true)
      await state.unlock().finally(() => setAsking(false))
    }
    return line(text.locked, { label: text.unlock, onClick: () => void unlock(), pending: asking })
  }
  if (state.status === 'ready' && read.error) {
    const isOver = read.error.code === 'key_revoked' || read.error.code === 'key_expired'
    const retry = isOver ? state.lock : read.again
    return line(read.error.code === 'workspace_unsupported' ? text.tooOld : errorText(read.error).full, {
      label: shared.retry,
      onClick: retry,
    })
  }
  return read.isWaiting ? line(text.waiting) : null
}
