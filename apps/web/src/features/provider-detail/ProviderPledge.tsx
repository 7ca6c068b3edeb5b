import { MIN_PLEDGE_WEI } from '@rackfair/rules/limits'
import type { Provider } from '@rackfair/rules/provider/provider'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { providerDetailMessages } from './messages.ts'
import { pledgeCover } from './pledgeCover.ts'

/** What stands behind the provider's promise, and how far it reaches. */
export function ProviderPledge({ provider }: { provider: Provider }) {
  const text = useMessages(providerDetailMessages)
  const cover = pledgeCover(provider)
  const reach =
    cover.pledgeWei < MIN_PLEDGE_WEI
      ? text.coversNothing
      : cover.idleWei === 0n || cover.idleWei === undefined
        ? text.coversSold
        : cover.freeWei >= cover.idleWei
          ? text.coversAll
          : text.coversPart
  return (
    <Card title={text.pledge}>
      <Facts
        facts={[
          { term: text.pledged, value: <Money wei={cover.pledgeWei} /> },
          { term: text.locked, value: <Money wei={cover.lockedWei} /> },
          { term: text.freePledge, value: <Money wei={cover.freeWei} /> },
          ...(cover.idleWei === undefined ? [] : [{ term: text.idle, value: <Money wei={cover.idleWei} /> }]),
        ]}
      />
      <p className="mt-3 font-medium">{reach}</p>
      <p className="mt-1 text-xs text-ink-3">{text.pledgeRule}</p>
    </Card>
  )
}
