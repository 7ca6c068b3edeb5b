import type { Order } from '@rackfair/rules/order/order'
import { ofService, type PowerAction, power, toWorkspaceError, type Workspace } from '@rackfair/sdk/workspace'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorToast } from '../../../platform/errors/useErrorToast.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toastStore.ts'
import { listFolder } from '../files/fileRequests.ts'
import { orderMessages } from '../messages.ts'
import { WorkspaceGate } from '../page/WorkspaceGate.tsx'
import { powerMessages } from './messages.ts'

export interface PowerDialogProps {
  order: Order
  action: PowerAction
  /** One of several services, in place of the whole application. */
  service?: string | undefined
  onClose: () => void
}

/** Says what stopping or starting means for the data and the price, and has the machine do it. */
export function PowerDialog({ order, action, service, onClose }: PowerDialogProps) {
  const text = useMessages(powerMessages)
  const { theApp } = useMessages(orderMessages)
  const { name } = useApplication(order, useNow(15_000))
  const [busy, setBusy] = useState(false)
  const app = service ?? (name || theApp)
  return (
    <Dialog open onClose={onClose} dismissible={!busy} title={text[action].title(app)}>
      <WorkspaceGate order={order}>
        {(workspace, lock) => (
          <PowerForm
            {...{ order, action, service, app, lock, busy }}
            workspace={service === undefined ? workspace : ofService(workspace, service)}
            onBusy={setBusy}
            onClose={onClose}
          />
        )}
      </WorkspaceGate>
    </Dialog>
  )
}

interface PowerFormProps extends PowerDialogProps {
  app: string
  workspace: Workspace
  lock: () => void
  busy: boolean
  onBusy: (busy: boolean) => void
}

function PowerForm({ order, action, service, app, workspace, lock, busy, onBusy, onClose }: PowerFormProps) {
  const text = useMessages(powerMessages)
  const showError = useErrorToast()
  const submit = async () => {
    onBusy(true)
    try {
      await power(workspace, action)
      toast({ tone: 'good', title: text[action].done(app) })
      onClose()
    } catch (cause) {
      const error = toWorkspaceError(cause)
      onBusy(false)
      if (error.code === 'key_revoked' || error.code === 'key_expired') lock()
      else showError(error, { title: text.failed })
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-2">{service === undefined ? text[action].text : text.restartService}</p>
      {action === 'redeploy' && <Kept order={order} workspace={workspace} />}
      <div className="flex flex-wrap justify-end gap-2.5 pt-2">
        <Button onClick={onClose}>{text.keep}</Button>
        <Button variant={action === 'start' ? 'primary' : 'danger'} pending={busy} onClick={() => void submit()}>
          {text[action].do}
        </Button>
      </div>
    </div>
  )
}

/** Which folders outlive the container, by the machine's own word. */
function Kept({ order, workspace }: { order: Order; workspace: Workspace }) {
  const text = useMessages(powerMessages)
  const format = useFormat()
  const disk = useQuery({
    queryKey: ['workspace', order.id, 'files', '', ''],
    queryFn: () => listFolder(workspace, undefined),
    meta: { live: ['platform'] },
  })
  if (disk.isPending) return <Skeleton size="text" />
  const folders = disk.data?.entries.map(({ name }) => name) ?? []
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 break-words text-ink-2">
      {disk.data && <li>{folders.length > 0 ? text.redeploy.kept(format.list(folders)) : text.redeploy.keptNone}</li>}
      <li>{text.redeploy.lost}</li>
    </ul>
  )
}
