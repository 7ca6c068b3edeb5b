import type { OrderWire } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors/useErrorText.ts'
import { deploymentQuery, presetsQuery } from '../../../lib/orders/orderQueries.ts'
import { orderMessages } from '../messages.ts'
import { reportEntries } from './reportEntries.ts'
import { type TimelineEntry, timelineEntry } from './timelineEntry.ts'

/** Everything that is known to have happened to an order, newest first: events of the chain, and what the machine reported. */
export function useOrderTimeline(order: OrderWire) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const errorText = useErrorText()
  const events = useQuery({
    queryKey: ['orders', 'events', order.id],
    queryFn: ({ signal }) => api.orderEvents(order.id, { signal }),
    meta: { live: [`order:${order.id}`] },
  })
  const deployment = useQuery(deploymentQuery(order.id))
  const presets = useQuery({ ...presetsQuery, enabled: (deployment.data?.deployId ?? 0) > 0 })
  const app = presets.data?.find(({ id }) => id === deployment.data?.deployId)?.title ?? text.theApp
  const chain = events.data?.events.map((event) => timelineEntry(event, text, format, order.providerName))
  const reported = deployment.data ? reportEntries(deployment.data, app, text, errorText) : []
  return {
    entries: chain && [...chain, ...reported].sort(byNewest),
    error: events.error,
    retry: () => void events.refetch(),
  }
}

function byNewest(a: TimelineEntry, b: TimelineEntry): number {
  return b.time - a.time || b.key.localeCompare(a.key, 'en', { numeric: true })
}
