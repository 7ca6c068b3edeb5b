import { lowerCaseAddress } from '@rackfair/rules/address'
import { type MarketEarnings, readEarnings, readMarket } from '@rackfair/sdk'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import type { Market } from '../../wallet/index.ts'

export type ProviderMoney = Awaited<ReturnType<typeof readMoney>>

/** What the contracts keep for the provider. Interest grows with every second, so it is read again every half minute. */
export function moneyQuery(market: Market, address: Address) {
  return queryOptions({
    queryKey: ['provider-money', market.chainId, lowerCaseAddress(address)],
    queryFn: () => readMoney(market, address),
    refetchInterval: 30_000,
    meta: { live: [`provider:${lowerCaseAddress(address)}`, 'order', 'node'] },
  })
}

async function readMoney({ client, addresses }: Market, address: Address) {
  const [{ pledge, locked, interest }, ratePerYear, poolWei, runwaySeconds, earnings, listed, params] = await Promise.all([
    readMarket(client, addresses, 'pledge', 'getPledge', [address]),
    readMarket(client, addresses, 'pledge', 'getRate', []),
    readMarket(client, addresses, 'pledge', 'pool', []),
    readMarket(client, addresses, 'pledge', 'runway', []),
    readEarnings(client, addresses, address),
    readMarket(client, addresses, 'registry', 'nodesOf', [address]),
    readMarket(client, addresses, 'market', 'params', []),
  ])
  const sum = (held: readonly MarketEarnings[]) => held.reduce((total, { earnedWei }) => total + earnedWei, 0n)
  return {
    pledgedWei: pledge,
    /** What of the pledge stands behind live orders: it bears interest and cannot be taken back. */
    lockedWei: locked,
    interestWei: interest,
    ratePerYear,
    poolWei,
    /** For how long the pool pays interest as things stand; more than anybody can count while nothing accrues. */
    runwaySeconds,
    /** What can be withdrawn, from all Markets. */
    earnedWei: sum(earnings),
    /** What of it lies in Markets before the current one. */
    earnedBeforeWei: sum(earnings.slice(1)),
    earnings,
    listed,
    commissionBps: params.commissionBps,
  }
}
