import { useMessages } from '../../i18n/useMessages.ts'
import { useGlobal } from '../../lib/useGlobal.ts'
import { statusMessages } from './messages.ts'
import { ReadAgainClock } from './ReadAgainClock.tsx'

/** How much is listed by how many, and when it is read again. */
export function MarketLine() {
  const text = useMessages(statusMessages)
  const { totals, sample } = useGlobal()
  return (
    <>
      {!sample && (
        <span className={totals ? '' : 'invisible'}>{text.listed(totals?.nodeGlobal ?? 100, totals?.cpNumber ?? 10)} </span>
      )}
      <ReadAgainClock />
    </>
  )
}
