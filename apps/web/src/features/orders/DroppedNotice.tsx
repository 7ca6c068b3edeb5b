import { type Dropped, quoteDropped } from '@rackfair/rules/order/money'
import { type Order, orderTerms, type Who } from '@rackfair/rules/order/order'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { orderMessages } from './messages.ts'

export interface DroppedNoticeProps {
  order: Order
  dropped: Dropped
  who: Who
  /** Opens the dialog that closes it; omitted if this user cannot. */
  onClose?: (() => void) | undefined
}

/** Says that the provider dropped the order and what closing it pays to whom, with a button that anybody may use. */
export function DroppedNotice({ order, dropped, who, onClose }: DroppedNoticeProps) {
  const text = useMessages(orderMessages).dropped
  const format = useFormat()
  const { toUser, compensation } = quoteDropped(orderTerms(order), dropped)
  const [back, pledge] = [format.usd(toUser), format.usd(compensation)]
  return (
    <Notice
      tone="bad"
      title={dropped === 'away' ? text.away(format.dateTime(order.downSince)) : text.notStarted}
      actions={onClose && <Button onClick={onClose}>{who === 'buyer' ? text.closeAndGet(back) : text.close}</Button>}
    >
      {who === 'buyer' ? text.buyer(back, pledge) : who === 'provider' ? text.provider(back, pledge) : text.others(back, pledge)}
    </Notice>
  )
}
