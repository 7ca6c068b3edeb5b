import type { MarketNode } from '@rackfair/core'
import { removeNodeCall } from '@rackfair/sdk'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { providerMessages } from '../messages.ts'
import { WriteStatus } from '../WriteStatus.tsx'

export function RemoveNodeDialog({ node, onClose }: { node: MarketNode; onClose: () => void }) {
  const text = useMessages(providerMessages)
  const { state, busy, send } = useTransaction()
  const remove = async () => {
    const receipt = await send(({ addresses }) => removeNodeCall(addresses, node.nodeId), {
      description: text.nodes.describeRemove(node.name),
      success: { title: text.nodes.removed(node.name) },
    })
    if (receipt) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={text.nodes.removeTitle(node.name)}
      footer={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button variant="danger" pending={busy} onClick={() => void remove()}>
            {text.nodes.remove}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{text.nodes.removeText}</p>
      <WriteStatus state={state} />
    </Dialog>
  )
}
