import { readGate, readMarket, readUsdt } from '@rackfair/sdk'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { queryClient } from '../../platform/api/queryClient.ts'
import { marketQuery } from '../useMarket.ts'

/** The gate of this market, and what the account has on either side of it: USDT in its units, Credit in wei. */
export function useGate(account: Address) {
  return useQuery({
    queryKey: ['gate', account],
    queryFn: async () => {
      const market = await queryClient.ensureQueryData(marketQuery)
      const gate = await readGate(market.client, market.addresses)
      const [usdt, creditWei, creditAllowanceWei] = await Promise.all([
        readUsdt(market.client, gate, account),
        readMarket(market.client, market.addresses, 'credit', 'balanceOf', [account]),
        readMarket(market.client, market.addresses, 'credit', 'allowance', [account, gate.address]),
      ])
      return { gate, addresses: market.addresses, usdt, creditWei, creditAllowanceWei }
    },
    meta: { live: ['order', 'provider', 'block'] },
  })
}
