import type { MarketNode } from '@rackfair/rules/node/node'
import { removeNodeCall } from '@rackfair/sdk'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { WriteStatus } from '../../../entities/provider/WriteStatus.tsx'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { ownNodeMessages } from '../messages.ts'

export function RemoveNodeDialog({ node, onClose }: { node: MarketNode; onClose: () => void }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(ownNodeMessages).node
  const { state, busy, send } = useTransaction()
  const remove = async () => {
    const receipt = await send(({ addresses }) => removeNodeCall(addresses, node.nodeId), {
      description: text.describeRemove(node.name),
      success: { title: text.removed(node.name) },
    })
    if (receipt) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={text.removeTitle(node.name)}
      footer={
        <>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button variant="danger" pending={busy} onClick={() => void remove()}>
            {text.remove}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{text.removeText}</p>
      <WriteStatus state={state} />
    </Dialog>
  )
}
