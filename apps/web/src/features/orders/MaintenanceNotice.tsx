import type { Order } from '@rackfair/rules/order/order'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Notice } from '../../ui/Notice.tsx'
import { orderMessages } from './messages.ts'

/** When the machine of an order may be down as its provider announced, and what that means for the price. Nothing where nothing is announced. */
export function MaintenanceNotice({ order, now }: { order: Order; now: number }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const [next, ...later] = (order.maintenance ?? []).filter(({ until }) => until > now)
  if (!next) return null
  const { from, until } = next
  return (
    <Notice
      title={
        from <= now
          ? text.maintenanceNow(format.dateTime(until))
          : text.maintenanceSoon(format.dateTime(from), format.duration(until - from))
      }
    >
      <p>{text.maintenanceText}</p>
      {later.length > 0 && <p>{text.maintenanceMore(format.list(later.map((one) => format.dateTime(one.from))))}</p>}
    </Notice>
  )
}
