import type { MarketNode } from '@rackfair/rules/node/node'
import { setOnlineCall } from '@rackfair/sdk'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { ownNodeMessages } from '../messages.ts'

/** Offers a node for sale or takes it off the market; a running order goes on either way. */
export function OnlineSwitch({ node }: { node: MarketNode }) {
  const text = useMessages(ownNodeMessages).node
  const { busy, send } = useTransaction()
  const set = (online: boolean) =>
    send(({ addresses }) => setOnlineCall(addresses, node.provider, node.nodeId, online), {
      description: online ? text.describeOn(node.name) : text.describeOff(node.name),
      success: { title: online ? text.switchedOn(node.name) : text.switchedOff(node.name) },
    })
  return (
    <span className="inline-flex items-center gap-2">
      <Switch checked={node.switchedOn} disabled={busy} onChange={(online) => void set(online)}>
        <span className="sr-only">{text.switchOn(node.name)}</span>
      </Switch>
      {busy && <Spinner />}
    </span>
  )
}
