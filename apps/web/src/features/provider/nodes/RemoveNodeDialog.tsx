import type { NodeWire } from '@rackfair/core/wire'
import { contractCall } from '@rackfair/sdk'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { providerMessages } from '../messages.ts'
import { useMarketWrite } from '../useMarketWrite.ts'
import { WriteStatus } from '../WriteStatus.tsx'

export function RemoveNodeDialog({ node, onClose }: { node: NodeWire; onClose: () => void }) {
  const text = useMessages(providerMessages)
  const { state, busy, write } = useMarketWrite()
  const remove = async () => {
    const receipt = await write(({ addresses }) => contractCall(addresses, 'registry', 'del_node', [BigInt(node.id)]), {
      description: text.nodes.describeRemove(node.nodename),
      success: { title: text.nodes.removed(node.nodename) },
    })
    if (receipt) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={text.nodes.removeTitle(node.nodename)}
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
