import type { ProviderTakes } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** What the provider of an order takes; undefined until it is read, and where its agent has not said. */
export function useOrderTakes({ provider }: { provider: string }): ProviderTakes | undefined {
  const { data } = useQuery({
    queryKey: ['takes', provider],
    queryFn: async ({ signal }) => (await api.provider(provider, { signal })).takes ?? null,
    meta: { live: [`provider:${provider}`] },
  })
  return data ?? undefined
}
