import { AppError } from '@rackfair/rules/errors/AppError'
import { appError } from '../errors/appError.ts'
import type { NodeQuery } from '../http/NodeQuery.ts'
import type { Renter } from '../market/connectMarket.ts'
import { searchNodes } from '../market/searchNodes.ts'
import { type BoughtOnce, buyOnce } from '../order/buyOnce.ts'
import { type BuyOptions, buyOrder } from '../order/buyOrder.ts'

/** So many machines are tried where others buy them meanwhile, or the purse may not use them. */
const MAX_TRIES = 8

/** What another machine may not be refused for. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  ...['NodeSold', 'NodeOffline', 'NodeNotFound', 'StaleNode', 'FreePledgeTooLow', 'DurationOutOfBounds', 'OwnNode'],
  ...['ProviderNotGranted', 'PriceAboveLimit'],
])

/**
 * Buys the cheapest idle machine that fits, once under a name; the next one where that one is refused.
 * @throws AppError `not_found` if none fits, else as `buyOrder` for the last one.
 */
export async function buyCheapest(
  renter: Renter,
  query: NodeQuery,
  { term, name, ...options }: BuyOptions & { term: string | number; name: string | undefined },
): Promise<BoughtOnce> {
  const forTime = typeof term === 'number' ? `${term}s` : term
  const { nodes } = await searchNodes(renter, { ...query, for: forTime, idle: true, sort: 'price', limit: 50 }, options.signal)
  const open = nodes.filter(({ blocker }) => blocker === undefined).slice(0, MAX_TRIES)
  let refusal: AppError = appError('not_found', 'no idle machine fits')
  for (const { provider, nodeId } of open)
    try {
      if (name !== undefined) return await buyOnce(renter, name, { provider, nodeId, term }, options)
      const bought = await buyOrder(renter, { provider, nodeId, term }, options)
      return { orderId: bought.orderId, bought }
    } catch (error) {
      if (!(error instanceof AppError) || !OF_THE_MACHINE.has(error.code)) throw error
      refusal = error
    }
  throw refusal
}
