import { readEarningsHistory, readPledgeHistory } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'

export function earningsQuery(address: string) {
  return queryOptions({
    queryKey: ['earnings', address],
    queryFn: ({ signal }) => api.earnings(address, { signal }),
    select: readEarningsHistory,
    meta: { live: ['order', `provider:${address}`] },
  })
}

export function pledgeHistoryQuery(address: string) {
  return queryOptions({
    queryKey: ['pledge-history', address],
    queryFn: ({ signal }) => api.pledgeHistory(address, { signal }),
    select: readPledgeHistory,
    meta: { live: [`provider:${address}`] },
  })
}
