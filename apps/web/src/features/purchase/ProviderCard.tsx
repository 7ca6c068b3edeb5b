import type { NodeWire } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../lib/useNow.ts'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { purchaseMessages } from './messages.ts'
import { providerQuery } from './purchaseQueries.ts'

/** Whom the machine is bought from: what is pledged, what became of the orders before, whether it answers. */
export function ProviderCard({ node }: { node: NodeWire }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const now = useNow(30_000)
  const { data: provider, isPending } = useQuery(providerQuery(node.cp))
  const { pledge, pledgeLocked } = provider ?? node
  const away = node.offlineSince === null ? text.away : text.awaySince(format.ago(node.offlineSince, now))
  return (
    <Card
      title={text.from(node.providerName)}
      aside={<TextLink to={`/providerdetail?address=${node.cp}`}>{text.providerDetail}</TextLink>}
    >
      {isPending ? (
        <Skeleton size="card" />
      ) : (
        <Facts
          facts={[
            {
              term: text.state,
              value: <StateDot tone={node.online ? 'idle' : 'off'}>{node.online ? text.online : away}</StateDot>,
            },
            { term: text.pledge, value: <Money wei={BigInt(pledge)} /> },
            { term: text.pledgeFree, value: <Money wei={BigInt(pledge) - BigInt(pledgeLocked)} /> },
            ...(provider
              ? [
                  { term: text.ordersDone, value: format.number(provider.ordersCompleted) },
                  { term: text.ordersRunning, value: format.number(provider.ordersRunning) },
                  { term: text.ordersDropped, value: format.number(provider.ordersDropped) },
                  { term: text.ordersMissed, value: format.number(provider.ordersMissed) },
                ]
              : []),
          ]}
        />
      )}
    </Card>
  )
}
