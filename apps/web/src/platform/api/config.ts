import type { ConfigAnswer } from '@rackfair/protocol/config'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: () => api.config(),
  staleTime: Number.POSITIVE_INFINITY,
  retry: 3,
})

/** Settings of this installation; undefined until they have been read. */
export function useConfig(): ConfigAnswer | undefined {
  return useQuery(configQuery).data
}
