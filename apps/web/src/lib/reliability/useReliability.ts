import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** What monitors say of a machine, or of all machines of a provider together where no `nodeId` is named. `provider` is a lower-case address. */
export function useReliability(provider: string, nodeId?: number) {
  return useQuery({
    queryKey: ['reliability', provider, nodeId ?? 'all'],
    queryFn: ({ signal }) =>
      nodeId === undefined ? api.providerReliability(provider, { signal }) : api.nodeReliability(provider, nodeId, { signal }),
    meta: { live: [nodeId === undefined ? `provider:${provider}` : `node:${provider}/${nodeId}`, 'order'] },
  })
}
