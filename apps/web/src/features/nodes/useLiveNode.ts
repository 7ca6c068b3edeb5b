import type { NodeListItem } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import type { ListedNode } from './useNodeSearch.ts'

/** One row as it is now: read again alone when its node changes, so that nothing around it moves. */
export function useLiveNode(row: ListedNode): NodeListItem {
  const node = useQuery({
    queryKey: ['nodes', 'row', row.cp, row.id, row.readAt],
    queryFn: ({ signal }) => api.node(row.cp, row.id, { signal }),
    initialData: (): NodeListItem => row,
    initialDataUpdatedAt: row.readAt,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { live: [`node:${row.cp}/${row.id}`] },
  })
  const gone = node.error !== null && 'code' in node.error && node.error.code === 'not_found'
  return gone ? { ...node.data, exist: false } : node.data
}
