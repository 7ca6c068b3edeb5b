import { inProbation, orderTerms, orderTime } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Bar } from '../../ui/Bar.tsx'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { orderMessages } from './messages.ts'

/** When an order was bought, started and ends. */
export function TimeCard({ order, now }: { order: OrderWire; now: number }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const time = orderTime(order, now)
  const free = inProbation(orderTerms(order), now)
  return (
    <Card title={text.time}>
      <Facts
        facts={[
          { term: text.bought, value: format.dateTime(order.createTime) },
          ...(order.activateTime > 0 ? [{ term: text.started, value: format.dateTime(order.activateTime) }] : []),
          ...(time.phase === 'waiting' ? [{ term: text.startBefore, value: format.dateTime(time.startBefore) }] : []),
          ...(free ? [{ term: text.probationUntil, value: format.dateTime(order.activateTime + order.probation) }] : []),
          ...('end' in time ? [{ term: text.expires, value: format.dateTime(time.end) }] : []),
          ...(time.phase === 'closed' ? [{ term: text.closed, value: format.dateTime(time.at) }] : []),
          { term: text.duration, value: format.duration(order.duration, 1) },
        ]}
      />
      {time.phase === 'running' && (
        <div className="mt-4 flex flex-col gap-2">
          <Bar label={text.timeBar(format.percent(time.leftShare))} parts={[{ share: time.leftShare, tone: 'ink' }]} />
          <span className="num text-xs text-ink-3" data-testid="time-left">
            {text.timeLeftOf(format.duration(time.leftSeconds, 4), format.duration(order.duration, 1))}
          </span>
        </div>
      )}
    </Card>
  )
}
