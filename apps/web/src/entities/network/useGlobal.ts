import { type NetworkTotals, readNetworkTotals } from '@rackfair/sdk/http'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'
import { SAMPLE_GLOBAL } from './sampleGlobal.ts'

const globalQuery = queryOptions({
  queryKey: ['global'],
  queryFn: ({ signal }) => api.global({ signal }),
  select: readNetworkTotals,
  refetchInterval: 300_000,
  meta: { live: ['node', 'provider', 'order'] },
})

export interface UseGlobal {
  /** Undefined while loading. */
  totals: NetworkTotals | undefined
  /** True if the platform is unreachable and the figures are samples, which must be labelled. */
  sample: boolean
}

/** The totals of the network, live. */
export function useGlobal(): UseGlobal {
  const global = useQuery(globalQuery)
  if (global.data) return { totals: global.data, sample: false }
  return global.isError ? { totals: SAMPLE_GLOBAL, sample: true } : { totals: undefined, sample: false }
}
