import type { NodeWire } from '@rackfair/core/wire'
import { contractCall } from '@rackfair/sdk'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { providerMessages } from '../messages.ts'
import { useMarketWrite } from '../useMarketWrite.ts'

/** Offers a node for sale or takes it off the market; a running order goes on either way. */
export function OnlineSwitch({ node }: { node: NodeWire }) {
  const text = useMessages(providerMessages).nodes
  const { busy, write } = useMarketWrite()
  const set = (online: boolean) =>
    write(
      ({ addresses }) => contractCall(addresses, 'registry', 'setOnline', [node.cp as `0x${string}`, BigInt(node.id), online]),
      {
        description: online ? text.describeOn(node.nodename) : text.describeOff(node.nodename),
        success: { title: online ? text.switchedOn(node.nodename) : text.switchedOff(node.nodename) },
      },
    )
  return (
    <span className="inline-flex items-center gap-2">
      <Switch checked={node.switchedOn} disabled={busy} onChange={(online) => void set(online)}>
        <span className="sr-only">{text.switchOn(node.nodename)}</span>
      </Switch>
      {busy && <Spinner />}
    </span>
  )
}
