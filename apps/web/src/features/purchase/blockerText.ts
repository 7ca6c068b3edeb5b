import type { NodeBlocker } from '@rackfair/rules/node/blocker'
import type { MessagesOf } from '../../i18n/defineMessages.ts'
import type { Format } from '../../i18n/format.ts'
import type { AccountBlocker } from './accountBlocker.ts'
import type { en } from './messages.en.ts'

const CENT_WEI = 10n ** 16n

export type Blocker =
  | AccountBlocker
  | NodeBlocker
  | { code: 'months' }
  | { code: 'failed_market' }
  | { code: 'settings' }
  | { code: 'device_offline' }
  /** What the order itself does not allow, as a sentence. */
  | { code: 'order'; why: string }

/** Why the button cannot be pressed, as a sentence. */
export function blockerText(blocker: Blocker, text: MessagesOf<typeof en>['blocked'], format: Format, now: number): string {
  switch (blocker.code) {
    case 'balance_low':
      // Dollars are cut to the cent, and what is named here must be enough.
      return text.balance_low(format.usd(blocker.missingWei + CENT_WEI - 1n))
    case 'sold':
      return blocker.until === null ? text.sold : text.soldUntil(format.dateTime(blocker.until))
    case 'offline':
      return blocker.since === null ? text.offline : text.offlineSince(format.ago(blocker.since, now))
    case 'order':
      return blocker.why
    default:
      return text[blocker.code]
  }
}
