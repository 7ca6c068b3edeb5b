import { OrderStatus, orderMoney, orderTime, shownStatus } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Notice } from '../../ui/Notice.tsx'
import { expiryWarning } from './expiryWarning.ts'
import { orderMessages } from './messages.ts'

/** What a buyer should know about an order before anything goes wrong. */
export function OrderNotices({ order, now }: { order: OrderWire; now: number }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const time = orderTime(order, now)
  const warning = expiryWarning(time)
  const silent = shownStatus(order, now) === OrderStatus.Active && order.node !== null && !order.node.online
  return (
    <>
      {time.phase === 'waiting' && (
        <Notice tone="info" title={text.waitingText}>
          {text.waitingUntil(format.dateTime(time.startBefore))}
        </Notice>
      )}
      {time.phase === 'expired' && <Notice tone="info" title={text.expiredText} />}
      {silent && order.node && (
        <Notice
          tone="warn"
          title={order.node.offlineSince === null ? text.offline : text.offlineSince(format.ago(order.node.offlineSince, now))}
        >
          {text.offlineText(format.usd(orderMoney(order, now).backWei))}
        </Notice>
      )}
      {warning && time.phase === 'running' && (
        <Notice tone={warning === 'very_soon' ? 'bad' : 'warn'} title={text.expirySoon(format.duration(time.leftSeconds))}>
          {text.expiryText}
        </Notice>
      )}
    </>
  )
}
