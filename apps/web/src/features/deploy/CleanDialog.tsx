import { PHASES } from '@rackfair/rules/deployment/phase'
import type { Order } from '@rackfair/rules/order/order'
import { useState } from 'react'
import { useDeployRequest } from '../../entities/deployment/useDeployRequest.ts'
import { pageLinkHere } from '../../entities/order/pageLinkHere.ts'
import { useApplication } from '../../entities/order/useApplication.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useErrorToast } from '../../platform/errors/useErrorToast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DeploymentProgress } from './DeploymentProgress.tsx'
import { deployMessages } from './messages.ts'
import { NeedsWallet, useMissingWallet } from './NeedsWallet.tsx'

/** Names what a clean deletes, has it signed, and shows it happen. */
export function CleanDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const showError = useErrorToast()
  const missing = useMissingWallet()
  const { request, stage } = useDeployRequest()
  const { latest, name } = useApplication(order, useNow(15_000))
  const [requested, setRequested] = useState<string>()
  if (missing) return <NeedsWallet onClose={onClose} />

  const mine = requested !== undefined && latest?.deployId === 0 ? latest : undefined
  const app = name || text.theApp
  const clean = async () => {
    try {
      const done = await request(order, 0)
      if (done) setRequested(done.id)
    } catch (error) {
      showError(error, { title: text.cleanError })
    }
  }
  const done = mine !== undefined && !PHASES[mine.phase].busy
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={stage === 'idle'}
      title={mine ? (mine.phase === 'Cleaned' ? text.cleanDone : text.cleanNotice) : text.cleanTitle(app)}
      footer={
        mine ? (
          <Button variant={done ? 'primary' : 'outline'} onClick={onClose}>
            {text.close}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{text.cleanKeep}</Button>
            <Button variant="danger" pending={stage !== 'idle'} onClick={() => void clean()}>
              {stage === 'signing' ? text.signing : stage === 'sending' ? text.sending : text.cleanDo}
            </Button>
          </>
        )
      }
    >
      {mine ? (
        <DeploymentProgress deployment={mine} />
      ) : (
        <div className="flex flex-col gap-3">
          <p className="font-medium">{text.cleanWhat}</p>
          <ul className="flex list-disc flex-col gap-1 pl-5 break-words text-ink-2">
            <li>{text.cleanApp(app)}</li>
            <li>{text.cleanDisk(format.storage(order.resources.nDISK))}</li>
            <li>{text.cleanVisit(pageLinkHere(order, latest))}</li>
          </ul>
          <p className="text-ink-2">{text.cleanKept}</p>
        </div>
      )}
    </Dialog>
  )
}
