import { fillText } from '../../i18n/fillText.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../lib/useNow.ts'
import { statusMessages } from './messages.ts'

const OFFSET_SECONDS = 300

/** Now and five minutes, ticking every second: by then the list is read again at the latest. */
export function ReadAgainClock() {
  const text = useMessages(statusMessages)
  const format = useFormat()
  const at = useNow() + OFFSET_SECONDS
  return (
    <span title={text.clockHint}>
      {fillText(text.clock, {
        time: (
          <time
            dateTime={new Date(at * 1000).toISOString()}
            // A page drawn ahead of time knows no time.
            className={`num leading-none text-ink-2 ${typeof window === 'undefined' ? 'invisible' : ''}`}
          >
            {format.clock(at)}
          </time>
        ),
      })}
    </span>
  )
}
