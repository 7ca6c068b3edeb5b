import type { Order } from '@rackfair/rules/order/order'
import type { Workspace } from '@rackfair/sdk/workspace'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useWorkspace } from '../../../entities/workspace/useWorkspace.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { useErrorToast } from '../../../platform/errors/useErrorToast.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { orderMessages } from '../messages.ts'

/** The content behind the gate. */
export interface WorkspaceTabProps {
  order: Order
  workspace: Workspace
  /** All services of the order by name, where it has several and none is chosen. */
  services?: readonly string[] | undefined
  /** The one that is chosen, where it is not the one that everything unnamed is of. */
  service?: string | undefined
  /** Requests a new wallet signature. */
  lock: () => void
}

export interface WorkspaceGateProps {
  order: Order
  children: (workspace: Workspace, lock: () => void) => ReactNode
}

/** Gates everything that needs a key of this browser: says what the wallet signs, once, and what that unlocks. */
export function WorkspaceGate({ order, children }: WorkspaceGateProps) {
  const text = useMessages(orderMessages)
  const errorText = useErrorText()
  const showError = useErrorToast()
  const { latest } = useApplication(order, useNow(15_000))
  const state = useWorkspace(order, latest)
  const [signing, setSigning] = useState(false)
  if (state.status === 'ready') return children(state.workspace, state.lock)
  if (state.status === 'loading')
    return (
      <div className="p-5">
        <Skeleton size="panel" />
      </div>
    )
  if (state.status === 'unavailable') return <p className="px-5 py-10 text-center text-ink-2">{text.gateUnavailable}</p>
  if (state.status === 'failed')
    return (
      <div className="p-5">
        <ErrorState title={text.gateFailed} details={errorText(state.error).details} onRetry={state.retry}>
          {errorText(state.error).full}
        </ErrorState>
      </div>
    )
  const unlock = async () => {
    setSigning(true)
    try {
      await state.unlock()
    } catch (error) {
      showError(error, { title: text.gateFailed })
    } finally {
      setSigning(false)
    }
  }
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 px-6 py-16 text-center">
      <KeyRound aria-hidden className="size-5 text-ink-3" />
      <p className="max-w-form text-ink-2">{text.gateText}</p>
      <Button pending={signing} onClick={() => void unlock()}>
        {signing ? text.gateSigning : text.gateSign}
      </Button>
    </div>
  )
}
