import type { ProviderWire } from '@rackfair/core/wire'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { providerDetailMessages } from './messages.ts'
import { pledgeCover, timesCovered } from './pledgeCover.ts'

/** What stands behind the provider's promise, and how far it reaches. */
export function ProviderPledge({ provider }: { provider: ProviderWire }) {
  const text = useMessages(providerDetailMessages)
  const format = useFormat()
  const cover = pledgeCover(provider.pledge, provider.nodes)
  const times = timesCovered(cover.pledgeWei, cover.dayOfRunningWei)
  const reach =
    cover.pledgeWei === 0n
      ? text.coversNothing
      : times === undefined
        ? text.coversIdle
        : times >= 1
          ? text.covers(format.number(times, 1))
          : text.coversPart(format.percent(times))
  return (
    <Card title={text.pledge}>
      <Facts
        facts={[
          { term: text.pledged, value: <Money wei={cover.pledgeWei} /> },
          { term: text.dayOfRunning, value: <Money wei={cover.dayOfRunningWei} /> },
          { term: text.dayOfAll, value: <Money wei={cover.dayOfAllWei} /> },
        ]}
      />
      <p className="mt-3 font-medium">{reach}</p>
      <p className="mt-1 text-xs text-ink-3">{text.pledgeRule}</p>
    </Card>
  )
}
