import { readNodeOffer } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'
import { SILENCE_MS } from '../order/queries.ts'

/** One machine, as it is now. */
export function nodeQuery(provider: string, nodeId: number) {
  return queryOptions({
    queryKey: ['purchase', 'node', provider, nodeId],
    queryFn: ({ signal }) => api.node(provider, nodeId, { signal }),
    select: readNodeOffer,
    meta: { live: [`node:${provider}/${nodeId}`, `provider:${provider}`] },
    refetchInterval: SILENCE_MS,
  })
}
