import { orderMoney } from '@rackfair/rules/order/money'
import type { Order } from '@rackfair/rules/order/order'
import { orderTime } from '@rackfair/rules/order/time'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Bar } from '../../ui/Bar.tsx'
import { orderMessages } from './messages.ts'
import { shareOf } from './shareOf.ts'

/** Time and money that are left, by the second. */
export function OrderBars({ order, now }: { order: Order; now: number }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const time = orderTime(order, now)
  const money = orderMoney(order, now)
  const left = time.phase === 'running' ? time.leftSeconds : time.phase === 'waiting' ? order.duration : 0
  // Seconds beside days would only flicker.
  const calm = left > 86_400 ? left - (left % 3600) : left
  const timeText = text.timeLeftOf(format.duration(calm), format.duration(order.duration, 1))
  const moneyText = text.moneyLeft(format.usd(money.backWei), format.usd(money.paidWei))
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <Bar label={timeText} parts={[{ share: left / order.duration, tone: 'ink' }]} />
        <span className="num text-xs text-ink-2">{timeText}</span>
      </div>
      <div className="flex flex-col gap-1">
        <Bar label={moneyText} parts={[{ share: shareOf(money.backWei, money.paidWei), tone: 'run' }]} />
        <span className="num text-xs text-ink-2">{moneyText}</span>
      </div>
    </div>
  )
}
