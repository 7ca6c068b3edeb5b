import { readProvider } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { readOnce } from '../lib/readOnce.ts'

const read = readOnce(readProvider)

/** One provider with its nodes, wherever it is shown. `address` is in lower case. */
export function providerQuery(address: string) {
  return queryOptions({
    queryKey: ['provider', address],
    queryFn: ({ signal }) => api.provider(address, { signal }),
    select: read,
    meta: { live: [`provider:${address}`, 'order'] },
  })
}
