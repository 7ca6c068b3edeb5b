import type { NodeBlocker } from '@rackfair/rules/node/blocker'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { nodeMessages } from './messages.ts'

/** A word for the row and a sentence for the reader. `now` in unix seconds. */
export function useBlockerText(now: number): (blocker: NodeBlocker) => { short: string; long: string } {
  const text = useMessages(nodeMessages).blocked
  const format = useFormat()
  return (blocker) => {
    if (blocker.code === 'sold' && blocker.until !== null)
      return {
        short: text.soldUntil.short(format.day(blocker.until)),
        long: text.soldUntil.long(format.dateTime(blocker.until)),
      }
    if (blocker.code === 'offline' && blocker.since !== null)
      return { short: text.offline.short, long: text.offlineSince(format.ago(blocker.since, now)) }
    return text[blocker.code]
  }
}
