import type { MarketNode } from '@rackfair/rules/node/node'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { Card } from '../../../ui/Card.tsx'
import { FactGrid } from '../../../ui/FactGrid.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { StateDot } from '../../../ui/StateDot.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { providerQuery } from '../../provider/queries.ts'
import { trustTexts } from './trustTexts.ts'

/**
 * Whom the machine is bought from: what is pledged, what became of the orders before, whether it answers. `lockedWei` is what the
 * purchase locks of the pledge; undefined until the market has said.
 */
export function ProviderCard({ node, lockedWei }: { node: MarketNode; lockedWei: bigint | undefined }) {
  const text = useMessages(trustTexts)
  const format = useFormat()
  const now = useNow(30_000)
  const { data: provider, isPending } = useQuery(providerQuery(node.provider))
  const pledgeWei = provider?.pledgeWei ?? node.pledgeWei
  const takenWei = provider?.pledgeLockedWei ?? node.pledgeLockedWei
  const away = node.offlineSince === null ? text.away : text.awaySince(format.ago(node.offlineSince, now))
  return (
    <Card
      title={text.from(node.providerName)}
      aside={<TextLink to={`/providerdetail?address=${node.provider}`}>{text.providerDetail}</TextLink>}
    >
      {isPending ? (
        <Skeleton size="card" />
      ) : (
        <>
          <FactGrid
            facts={[
              {
                term: text.state,
                value: <StateDot tone={node.online ? 'idle' : 'off'}>{node.online ? text.online : away}</StateDot>,
              },
              { term: text.pledge, value: <Money wei={pledgeWei} /> },
              { term: text.pledgeFree, value: <Money wei={pledgeWei - takenWei} /> },
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
          {lockedWei !== undefined && lockedWei > 0n && (
            <p className="mt-3 border-t border-line pt-3 text-xs text-ink-2">
              {text.locked(format.usd(lockedWei), node.providerName)}
            </p>
          )}
        </>
      )}
    </Card>
  )
}
