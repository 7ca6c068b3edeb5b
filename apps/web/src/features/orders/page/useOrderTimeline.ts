import type { Order } from '@rackfair/rules/order/order'
import { readOrderEvents } from '@rackfair/sdk/http'
import type { RememberedDeployment, Workspace } from '@rackfair/sdk/workspace'
import { skipToken, useQuery } from '@tanstack/react-query'
import { deploymentQuery, presetsQuery } from '../../../entities/order/queries.ts'
import { useWorkspace } from '../../../entities/workspace/useWorkspace.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../platform/api/api.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { orderMessages } from '../messages.ts'
import { mergeReports, reportEntries } from './reportEntries.ts'
import { byNewest, timelineEntry } from './timelineEntry.ts'

/** Everything that is known to have happened to an order, newest first: events of the chain, and what the machine reported. */
export function useOrderTimeline(order: Order) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const errorText = useErrorText()
  const events = useQuery({
    queryKey: ['orders', 'events', order.id],
    queryFn: ({ signal }) => api.orderEvents(order.id, { signal }),
    select: readOrderEvents,
    meta: { live: [`order:${order.id}`] },
  })
  const deployment = useQuery(deploymentQuery(order.id))
  const state = useWorkspace(order, deployment.data)
  const workspace = state.status === 'ready' ? state.workspace : undefined
  // If the machine does not answer, use the platform's record of the latest deployment.
  const remembered = useQuery({
    queryKey: ['workspace', order.id, 'events'],
    queryFn: workspace ? ({ signal }) => readEvents(workspace, signal) : skipToken,
    meta: { live: [`order:${order.id}`] },
  })
  const presets = useQuery({ ...presetsQuery, enabled: (deployment.data?.deployId ?? 0) > 0 || workspace !== undefined })
  const appOf = (deployId: number) => presets.data?.find(({ id }) => id === deployId)?.title ?? text.theApp
  const chain = events.data?.map((event) => timelineEntry(event, text, format, order.providerName))
  const reported = mergeReports(deployment.data, remembered.data ?? []).flatMap((one) =>
    reportEntries(one, appOf(one.deployId), text, errorText),
  )
  return {
    entries: chain && [...chain, ...reported].sort(byNewest),
    error: events.error,
    retry: () => void events.refetch(),
  }
}

/** Loaded with the rest of the workspace, once there is a key to use it with. */
async function readEvents(workspace: Workspace, signal: AbortSignal): Promise<RememberedDeployment[]> {
  const { events } = await import('@rackfair/sdk/workspace')
  return events(workspace, { signal })
}
