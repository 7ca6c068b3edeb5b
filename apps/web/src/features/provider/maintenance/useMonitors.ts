import type { MonitorsContract } from '@rackfair/sdk/uptime'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useMarket } from '../../../wallet/index.ts'

/** The contract that maintenance is announced to, and how it counts time; null where the market has no monitors, undefined until that is known. */
export function useMonitors(): MonitorsContract | null | undefined {
  const market = useMarket()
  const { data } = useQuery({
    queryKey: ['monitors-contract'],
    queryFn:
      market.status === 'ready'
        ? async () => {
            const { readMonitors } = await import('@rackfair/sdk/uptime')
            return (await readMonitors(market.market.client, market.market.addresses.access)) ?? null
          }
        : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}
