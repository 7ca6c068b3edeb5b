import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { en } from '../messages.en.ts'

/** The event of a receipt's line in a word; one that this build does not know keeps its name. */
export function receiptEvent(event: string, text: MessagesOf<typeof en>): string {
  const words: Readonly<Record<string, string>> = text.receiptEvents
  return words[event] ?? event
}
