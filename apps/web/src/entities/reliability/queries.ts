import { readReliabilityRecord } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'

/** What monitors say of a node, or of all nodes of a provider together where no `nodeId` is named. `provider` is a lower-case address. */
export function reliabilityQuery(provider: string, nodeId?: number) {
  return queryOptions({
    queryKey: ['reliability', provider, nodeId ?? 'all'],
    queryFn: ({ signal }) =>
      nodeId === undefined ? api.providerReliability(provider, { signal }) : api.nodeReliability(provider, nodeId, { signal }),
    select: readReliabilityRecord,
    meta: { live: [nodeId === undefined ? `provider:${provider}` : `node:${provider}/${nodeId}`, 'order'] },
  })
}
