import { type Order, orderTerms } from '@rackfair/rules/order/order'
import { inProbation, orderTime } from '@rackfair/rules/order/time'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { Dotted } from '../../../ui/Dotted.tsx'
import { orderMessages } from '../messages.ts'

/** When an order was bought, started and ends, and what is left of it. */
export function TimeHalf({ order, now }: { order: Order; now: number }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const time = orderTime(order, now)
  const mayLeaveAtOnce = inProbation(orderTerms(order), now)
  const all = format.duration(order.duration, 1)
  const left = time.phase === 'running' ? time.leftSeconds : time.phase === 'waiting' ? order.duration : 0
  const [calm, seconds] = format.countdown(left)
  const isOver = time.phase === 'closed' || time.phase === 'expired'
  const until =
    time.phase === 'waiting'
      ? text.startBy(format.dateTime(time.startBefore))
      : time.phase === 'running'
        ? text.endsAt(format.dateTime(time.end))
        : time.phase === 'expired'
          ? text.endedAt(format.dateTime(time.end))
          : text.closedAt(format.dateTime(time.at))
  return (
    <section aria-label={text.time} className="order-time">
      <h2 className="sr-only">{text.time}</h2>
      <div className="flex justify-between gap-3 text-xs text-ink-3">
        <span>{isOver ? text.duration : text.leftOf(all)}</span>
        <span className="num text-right">{until}</span>
      </div>
      <div className="flex items-center gap-4">
        {isOver ? (
          <span className="num text-lg">{all}</span>
        ) : (
          <span className="num text-lg whitespace-nowrap" data-testid="time-left">
            {calm} <span className="text-ink-3">{seconds}</span>
          </span>
        )}
        <div className="min-w-0 flex-1">
          <Bar
            label={text.timeBar(format.percent(left / order.duration))}
            parts={[{ share: time.phase === 'waiting' ? 0 : 1 - left / order.duration, tone: 'off' }]}
          />
        </div>
      </div>
      <p className="mt-1 text-xs text-ink-3">
        <Dotted
          parts={[
            text.boughtAt(format.dateTime(order.createTime)),
            ...(order.activateTime > 0 ? [text.startedAt(format.dateTime(order.activateTime))] : []),
          ]}
        />
      </p>
      {mayLeaveAtOnce && (
        <p className="mt-1 text-xs text-ink-2">{text.probationUntil(format.dateTime(order.activateTime + order.probation))}</p>
      )}
    </section>
  )
}
