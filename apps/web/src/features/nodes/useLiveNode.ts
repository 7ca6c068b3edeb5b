import type { NodeOffer } from '@rackfair/rules/node/node'
import { readNodeOffer } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'
import { isNotFound } from '../../platform/errors/isNotFound.ts'
import type { ListedNode } from './useNodeSearch.ts'

/** One row as it is now: read again alone when its node changes, so that nothing around it moves. */
export function useLiveNode(row: ListedNode): NodeOffer {
  const node = useQuery({
    queryKey: ['nodes', 'row', row.provider, row.nodeId, row.readAt],
    queryFn: async ({ signal }) => readNodeOffer(await api.node(row.provider, row.nodeId, { signal })),
    initialData: (): NodeOffer => row,
    initialDataUpdatedAt: row.readAt,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { live: [`node:${row.provider}/${row.nodeId}`] },
  })
  const gone = isNotFound(node.error)
  return gone ? { ...node.data, exist: false } : node.data
}
