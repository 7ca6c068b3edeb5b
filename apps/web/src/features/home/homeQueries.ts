import { readNodeSearch, readPrices, readRack } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'

export const rackQuery = queryOptions({
  queryKey: ['home', 'rack'],
  queryFn: ({ signal }) => api.rack({ signal }),
  select: readRack,
  refetchInterval: 300_000,
  meta: { live: ['node', 'provider'] },
})

/** A few machines as they are now, idle ones first, for the drawings that show a real one. */
export const machinesQuery = queryOptions({
  queryKey: ['home', 'machines'],
  queryFn: ({ signal }) => api.nodes({ sort: 'state', limit: 3 }, { signal }),
  select: readNodeSearch,
  meta: { live: ['node', 'provider'] },
})

export const pricesQuery = queryOptions({
  queryKey: ['home', 'prices'],
  queryFn: ({ signal }) => api.prices({ signal }),
  select: readPrices,
  meta: { live: ['node', 'provider'] },
})
