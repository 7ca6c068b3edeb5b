import { isRegistered, type Provider } from '@rackfair/core'
import { type MarketEarnings, readEarnings, readMarket } from '@rackfair/sdk'
import { readAlerts, readEarningsHistory, readOrders, readPledgeHistory, readPrices, readProvider } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../lib/api.ts'
import { isNotFound } from '../../lib/errors/isNotFound.ts'
import type { Market } from '../../wallet/index.ts'

/** The wallet's own provider with its nodes; null while it is not registered: an entry without domain and ip counts as that. */
export function ownProviderQuery(address: string) {
  return queryOptions({
    queryKey: ['own-provider', address],
    queryFn: async ({ signal }) => {
      try {
        return await api.provider(address, { signal })
      } catch (error) {
        if (isNotFound(error)) return null
        throw error
      }
    },
    select: readRegistered,
    meta: { live: [`provider:${address}`, 'node', 'order'] },
  })
}

function readRegistered(answer: unknown): Provider | null {
  const provider = answer === null ? null : readProvider(answer)
  return provider && isRegistered(provider) ? provider : null
}

export function ownOrdersQuery(address: string) {
  return queryOptions({
    queryKey: ['own-sold-orders', address],
    queryFn: ({ signal }) => api.providerOrders(address, { signal }),
    select: readOrders,
    meta: { live: ['order', 'node'] },
  })
}

export function earningsQuery(address: string) {
  return queryOptions({
    queryKey: ['earnings', address],
    queryFn: ({ signal }) => api.earnings(address, { signal }),
    select: readEarningsHistory,
    meta: { live: ['order', `provider:${address}`] },
  })
}

/** The alerts of the account that is signed in. */
export function ownAlertsQuery(address: string) {
  return queryOptions({
    queryKey: ['provider-alerts', address],
    queryFn: ({ signal }) => api.alerts({ signal }),
    select: readAlerts,
    refetchInterval: 60_000,
  })
}

export function pledgeHistoryQuery(address: string) {
  return queryOptions({
    queryKey: ['pledge-history', address],
    queryFn: ({ signal }) => api.pledgeHistory(address, { signal }),
    select: readPledgeHistory,
    meta: { live: [`provider:${address}`] },
  })
}

/** Medians of the market for the form. */
export const medianPricesQuery = queryOptions({
  queryKey: ['median-prices'],
  queryFn: ({ signal }) => api.prices({ signal }),
  select: readPrices,
  staleTime: 300_000,
})

export type ProviderMoney = Awaited<ReturnType<typeof readMoney>>

/** What the contracts keep for the provider. Interest grows with every second, so it is read again every half minute. */
export function moneyQuery(market: Market, address: Address) {
  return queryOptions({
    queryKey: ['provider-money', market.chainId, address.toLowerCase()],
    queryFn: () => readMoney(market, address),
    refetchInterval: 30_000,
    meta: { live: [`provider:${address.toLowerCase()}`, 'order', 'node'] },
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
