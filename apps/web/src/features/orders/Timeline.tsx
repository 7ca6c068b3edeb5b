import type { OrderWire } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StateShape } from '../../ui/StateDot.tsx'
import { orderMessages } from './messages.ts'
import { timelineEntry } from './timelineEntry.ts'

/** The chain events of an order, newest first, each with its transaction. */
export function Timeline({ order }: { order: OrderWire }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const explorerUrl = useConfig()?.explorerUrl
  const events = useQuery({
    queryKey: ['orders', 'events', order.id],
    queryFn: ({ signal }) => api.orderEvents(order.id, { signal }),
    meta: { live: [`order:${order.id}`] },
  })
  if (events.isError)
    return (
      <ErrorState title={text.timelineFailed} details={events.error.message} onRetry={() => void events.refetch()}>
        {text.readSafe}
      </ErrorState>
    )
  return (
    <Card title={text.timeline}>
      {events.data ? (
        <ol className="flex flex-col">
          {events.data.events
            .map((event) => timelineEntry(event, text, format, order.providerName))
            .sort((a, b) => b.time - a.time || b.key.localeCompare(a.key, 'en', { numeric: true }))
            .map((entry) => (
              <li key={entry.key} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2">
                <span className="num w-32 shrink-0 text-xs text-ink-3">{format.stamp(entry.time)}</span>
                <StateShape tone={entry.tone} />
                <span className="min-w-40 flex-1">{entry.text}</span>
                <span className="text-xs text-ink-3">
                  <Hash value={entry.transactionHash} explorerUrl={explorerUrl} />
                </span>
              </li>
            ))}
        </ol>
      ) : (
        <Skeleton size="card" />
      )}
    </Card>
  )
}
