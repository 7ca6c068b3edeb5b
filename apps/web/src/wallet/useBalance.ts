import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../platform/api/queryClient.ts'
import { getBalancesOf } from './getBalancesOf.ts'
import { useAccountState } from './useAccountState.ts'
import { marketQuery } from './useMarket.ts'

export interface Balance {
  /** Undefined while loading, or when it could not be read. */
  creditWei: bigint | undefined
  nativeWei: bigint | undefined
  isLoading: boolean
  isError: boolean
  refetch: () => void
}

/** Credit and the chain's own currency of the connected account, in wei; follows the blocks. */
export function useBalance(): Balance {
  const { address } = useAccountState()
  const balance = useQuery({
    queryKey: ['balance', address ?? ''],
    queryFn: () => getBalancesOf(address as `0x${string}`),
    enabled: address !== undefined,
    staleTime: 2000,
    // Connecting to the market has tries of its own; when those have failed the person is told.
    retry: (failures) => failures < 2 && queryClient.getQueryData(marketQuery.queryKey) !== undefined,
    meta: { live: ['order', 'provider', 'block'] },
  })
  // While the chain is away each block begins another try: what could not be read stays said until one succeeds.
  const isError = balance.isError || (balance.data === undefined && balance.errorUpdateCount > 0)
  return {
    creditWei: balance.data?.creditWei,
    nativeWei: balance.data?.nativeWei,
    isLoading: balance.isLoading && !isError,
    isError,
    refetch: () => void balance.refetch(),
  }
}
