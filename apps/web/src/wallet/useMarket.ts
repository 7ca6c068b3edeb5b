import { AppError } from '@rackfair/rules/errors/AppError'
import type { ErrorCode } from '@rackfair/sdk'
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { configQuery, useConfig } from '../platform/api/config.ts'
import { queryClient } from '../platform/api/queryClient.ts'
import type { Market } from './market.ts'
import { useWalletContext } from './WalletContext.ts'

export type MarketState =
  | { status: 'loading' }
  | { status: 'ready'; market: Market }
  | { status: 'failed'; error: AppError<ErrorCode>; retry: () => void }

/** Loads viem and reads the addresses through Access. */
export const marketQuery = queryOptions({
  queryKey: ['market'],
  queryFn: async () => {
    const { connectMarket } = await import('./session/connectMarket.ts')
    return connectMarket(await queryClient.ensureQueryData(configQuery))
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** The chain side of the market, for reads through `@rackfair/sdk`. Needs no wallet. */
export function useMarket(): MarketState {
  useWalletContext('useMarket')
  const config = useConfig()
  const market = useQuery({ ...marketQuery, queryFn: config ? (marketQuery.queryFn ?? skipToken) : skipToken })
  if (market.data) return { status: 'ready', market: market.data }
  if (market.error) {
    const error = market.error instanceof AppError ? market.error : new AppError<ErrorCode>('unknown', market.error.message)
    return { status: 'failed', error: error as AppError<ErrorCode>, retry: () => void market.refetch() }
  }
  return { status: 'loading' }
}
