import { skipToken, useQuery } from '@tanstack/react-query'
import { zeroAddress } from 'viem'
import { useAccountState, useMarket } from '../../wallet/index.ts'
import { moneyQuery, type ProviderMoney } from './providerMoney.ts'

export interface UseProviderMoney {
  /** Undefined until the chain has answered. */
  money: ProviderMoney | undefined
  error: Error | undefined
  retry: () => void
}

/** Earnings, pledge and interest of the connected wallet, from the contracts. */
export function useProviderMoney(): UseProviderMoney {
  const { address } = useAccountState()
  const market = useMarket()
  const ready = market.status === 'ready' && address !== undefined
  const options = ready ? moneyQuery(market.market, address) : undefined
  const query = useQuery({
    queryKey: options?.queryKey ?? ['provider-money', 0, zeroAddress],
    queryFn: options?.queryFn ?? skipToken,
    refetchInterval: 30_000,
    meta: options?.meta ?? {},
  })
  return {
    money: query.data as ProviderMoney | undefined,
    error: market.status === 'failed' ? market.error : (query.error ?? undefined),
    retry: market.status === 'failed' ? market.retry : () => void query.refetch(),
  }
}
