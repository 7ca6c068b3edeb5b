import type { ProviderTakes } from '@rackfair/rules/node/takes'
import { useQuery } from '@tanstack/react-query'
import { providerQuery } from '../queries.ts'

/** What the provider of an order takes; undefined until it is read, and where its agent has not said. */
export function useOrderTakes({ provider }: { provider: string }): ProviderTakes | undefined {
  return useQuery(providerQuery(provider)).data?.takes
}
