import { fillText } from '../../i18n/fillText.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useIsHydrating } from '../../ui/useIsHydrating.ts'
import { statusMessages } from './messages.ts'

const OFFSET_SECONDS = 300
/** The server cannot know the visitor's clock when it renders the page: src/prerender/early fills it in once in the browser. */
const PLACE = '00:00:00'

/** The time five minutes from now, ticking every second: the list is refetched by then at the latest. */
export function ReadAgainClock() {
  const text = useMessages(statusMessages)
  const format = useFormat()
  const isHydrating = useIsHydrating()
  const at = useNow() + OFFSET_SECONDS
  return (
    <span title={text.clockHint}>
      {fillText(text.clock, {
        time: (
          <time
            data-clock={OFFSET_SECONDS}
            suppressHydrationWarning
            dateTime={new Date(at * 1000).toISOString()}
            className={`num leading-none text-ink-2 ${isHydrating ? 'invisible' : ''}`}
          >
            {isHydrating ? PLACE : format.clock(at)}
          </time>
        ),
      })}
    </span>
  )
}
