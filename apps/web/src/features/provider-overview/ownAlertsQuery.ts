import { readAlerts } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'

/** The alerts of the account that is signed in. */
export function ownAlertsQuery(address: string) {
  return queryOptions({
    queryKey: ['provider-alerts', address],
    queryFn: ({ signal }) => api.alerts({ signal }),
    select: readAlerts,
    refetchInterval: 60_000,
  })
}
