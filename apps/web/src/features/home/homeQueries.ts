import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

export const rackQuery = queryOptions({
  queryKey: ['home', 'rack'],
  queryFn: ({ signal }) => api.rack({ signal }),
  refetchInterval: 300_000,
  meta: { live: ['node', 'provider'] },
})

export const pricesQuery = queryOptions({
  queryKey: ['home', 'prices'],
  queryFn: ({ signal }) => api.prices({ signal }),
  meta: { live: ['node', 'provider'] },
})
