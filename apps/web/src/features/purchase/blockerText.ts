import type { OrderBlocker } from '@rackfair/rules/order/actions'
import type { CheckoutBlocker } from '@rackfair/rules/order/checkout'
import type { MessagesOf } from '../../i18n/defineMessages.ts'
import type { Format } from '../../i18n/format.ts'
import type { en } from './messages.en.ts'

const CENT_WEI = 10n ** 16n

/** Why the button cannot be pressed, as a sentence. `orderText` says what the order itself does not allow. */
export function blockerText(
  blocker: CheckoutBlocker,
  text: MessagesOf<typeof en>['blocked'],
  orderText: (why: OrderBlocker) => string,
  format: Format,
  now: number,
): string {
  switch (blocker.code) {
    case 'balance_low':
      // Dollars are cut to the cent, and what is named here must be enough.
      return text.balance_low(format.usd(blocker.missingWei + CENT_WEI - 1n))
    case 'sold':
      return blocker.until === null ? text.sold : text.soldUntil(format.dateTime(blocker.until))
    case 'offline':
      return blocker.since === null ? text.offline : text.offlineSince(format.ago(blocker.since, now))
    case 'too_short':
      return text.too_short(format.duration(blocker.minTerm))
    case 'order':
      return orderText(blocker.why)
    default:
      return text[blocker.code]
  }
}
