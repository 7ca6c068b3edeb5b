import { useGlobal } from '../../entities/network/useGlobal.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { statusMessages } from './messages.ts'
import { ReadAgainClock } from './ReadAgainClock.tsx'

/** When the market is refetched next, and how much is listed by how many providers; the latter keeps its space while loading. */
export function MarketLine() {
  const text = useMessages(statusMessages)
  const { totals, sample } = useGlobal()
  return (
    <>
      <span className="max-sm:block">
        <ReadAgainClock />{' '}
      </span>
      {!sample && (
        <span className={`max-sm:block ${totals ? '' : 'invisible'}`}>
          {text.listed(totals?.nodes.listed ?? 0, totals?.providers ?? 0)}
        </span>
      )}
    </>
  )
}
