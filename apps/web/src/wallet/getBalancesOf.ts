import type { Address } from 'viem'
import { queryClient } from '../platform/api/queryClient.ts'
import { marketQuery } from './useMarket.ts'

export async function getBalancesOf(address: Address) {
  const market = await queryClient.ensureQueryData(marketQuery)
  const { getBalances } = await import('@rackfair/sdk')
  return getBalances(market.client, market.addresses, address)
}
