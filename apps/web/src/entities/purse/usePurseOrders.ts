import { lowerCaseAddress } from '@rackfair/rules/address'
import { isTerminal } from '@rackfair/rules/order/status'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useNow } from '../../platform/browser/useNow.ts'
import { useAccountState, useMarket } from '../../wallet/index.ts'
import { userOrdersQuery } from '../order/queries.ts'
import { purseOrdersQuery } from './queries.ts'

/** Orders whose buyer and renewal are read from the chain. */
const MAX_ORDERS = 100

/** What runs on a purse of the connected account: its orders, who acts for each, and which are kept alive now. */
export function usePurseOrders(purse: Address) {
  const now = useNow(10_000)
  const user = useAccountState().lowerCase ?? ''
  const marketState = useMarket()
  const market = marketState.status === 'ready' ? marketState.market : undefined
  const orders = useQuery(userOrdersQuery(user))
  const own = orders.data
    ?.filter((order) => order.user === lowerCaseAddress(purse) && !isTerminal(order.status))
    .slice(0, MAX_ORDERS)
  const known = useQuery(purseOrdersQuery(own && market, purse, own?.map(({ id }) => id) ?? []))
  const kept = own?.filter(({ id }) => (known.data?.get(id)?.standing?.until ?? 0) > now) ?? []
  return { orders, own, known: known.data, kept, ratePerMonthWei: kept.reduce((sum, order) => sum + order.ratePerMonthWei, 0n) }
}
