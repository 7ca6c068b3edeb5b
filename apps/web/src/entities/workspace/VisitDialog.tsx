import type { WorkspaceKey } from '@rackfair/sdk/workspace'
import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorToast } from '../../platform/errors/useErrorToast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { useSignText } from '../../wallet/index.ts'
import { workspaceMessages } from './messages.ts'
import { makeWorkspaceKey, ticketLink, type VisitPlace } from './workspaceKey.ts'

/**
 * Has the wallet sign for a key of this browser, unless it has `signed` before. A wallet that answers at once opens the application with
 * the same press; after one that takes its time, a phone for instance, browsers want a press of its own for a new tab.
 */
export function VisitDialog({
  place,
  app,
  signed,
  onClose,
  onOpen,
}: {
  place: VisitPlace
  app: string
  signed: WorkspaceKey | undefined
  onClose: () => void
  onOpen: (link: string) => void
}) {
  const text = useMessages(workspaceMessages)
  const ui = useMessages(uiMessages)
  const showError = useErrorToast()
  const { signText } = useSignText()
  const [signing, setSigning] = useState(false)
  const [key, setKey] = useState(signed)

  const open = async (made: WorkspaceKey) => {
    try {
      onOpen(await ticketLink(made, place))
      onClose()
    } catch (error) {
      showError(error, { title: text.error })
    }
  }
  const sign = async () => {
    setSigning(true)
    try {
      const made = await makeWorkspaceKey(place, signText)
      if (made && navigator.userActivation?.isActive) await open(made)
      else setKey(made)
    } catch (error) {
      showError(error, { title: text.error })
    } finally {
      setSigning(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!signing}
      title={key && !signed ? text.readyTitle : text.askTitle(app)}
      footer={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          {key ? (
            <Button variant="primary" onClick={() => void open(key)}>
              {text.open(app)}
              <ArrowUpRight aria-hidden className="size-3.5 shrink-0" />
              <span className="sr-only">({ui.opensNewTab})</span>
            </Button>
          ) : (
            <Button variant="primary" pending={signing} onClick={() => void sign()}>
              {signing ? text.signing : text.sign}
            </Button>
          )}
        </>
      }
    >
      <p className="text-ink-2">{signed ? text.pressText : key ? text.readyText : text.askText}</p>
    </Dialog>
  )
}
