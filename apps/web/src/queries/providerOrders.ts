import { readOrders } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api.ts'

/** The orders that a provider has sold. `address` is in lower case. */
export function providerOrdersQuery(address: string) {
  return queryOptions({
    queryKey: ['provider-orders', address],
    queryFn: ({ signal }) => api.providerOrders(address, { signal }),
    select: readOrders,
    meta: { live: ['order', 'node'] },
  })
}
