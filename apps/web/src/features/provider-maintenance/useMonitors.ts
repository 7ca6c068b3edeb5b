import type { MonitorsContract } from '@rackfair/sdk/uptime'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useMarket } from '../../wallet/index.ts'

/** The contract that maintenance is announced to, and how it counts time. */
export interface Monitors extends MonitorsContract {
  /** By how much the clock of the chain is ahead of this browser's. */
  aheadSeconds: number
}

interface MonitorsRead {
  /** Null where the market has no monitors, undefined until that is known. */
  monitors: Monitors | null | undefined
  /** The chain did not answer; asks it again. */
  failed: { retry: () => void; asking: boolean } | undefined
}

export function useMonitors(): MonitorsRead {
  const market = useMarket()
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['monitors-contract'],
    queryFn:
      market.status === 'ready'
        ? async () => {
            const { client, addresses } = market.market
            const [{ readMonitors }, { getBlock }] = await Promise.all([
              import('@rackfair/sdk/uptime'),
              import('./chainReads.ts'),
            ])
            const [contract, { timestamp }] = await Promise.all([readMonitors(client, addresses.access), getBlock(client)])
            return contract ? { ...contract, aheadSeconds: Math.max(0, Number(timestamp) - Math.floor(Date.now() / 1000)) } : null
          }
        : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (market.status === 'failed') return { monitors: undefined, failed: { retry: market.retry, asking: false } }
  const failed = isError && data === undefined ? { retry: () => void refetch(), asking: isFetching } : undefined
  return { monitors: data, failed }
}
