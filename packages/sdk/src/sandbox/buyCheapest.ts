import { purseAbi } from '@rackfair/contracts'
import { AppError } from '@rackfair/rules/errors/AppError'
import { type Address, isAddressEqual } from 'viem'
import { readAt } from '../chain/readAt.ts'
import { appError } from '../errors/appError.ts'
import type { NodeQuery } from '../http/NodeQuery.ts'
import type { Renter } from '../market/connectMarket.ts'
import { searchIdle } from '../market/searchIdle.ts'
import type { FoundNode } from '../market/searchNodes.ts'
import { type BoughtOnce, buyOnce } from '../order/buyOnce.ts'
import { type BuyOptions, buyOrder, quote } from '../order/buyOrder.ts'

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
  let refusal = nothingFits()
  for (const { provider, nodeId } of await cheapest(renter, query, term, options.signal))
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

/**
 * What the cheapest machine that fits costs for a time, in wei; with a purse, of those that its key may use.
 * @throws AppError `not_found` if none fits, `platform_unreachable`, `rpc_unreachable` (retryable)
 */
export async function quoteCheapest(renter: Renter, query: NodeQuery, term: string | number): Promise<bigint> {
  const { client, wallet, purse } = renter
  for (const { provider, nodeId } of await cheapest(renter, query, term)) {
    const call = { abi: purseAbi, functionName: 'mayUse', args: [wallet.account.address, provider] } as const
    const isOwner = async (address: Address) =>
      isAddressEqual(await readAt(client, { address, abi: purseAbi, functionName: 'owner', args: [] }), wallet.account.address)
    if (purse !== undefined && !(await readAt(client, { address: purse, ...call })) && !(await isOwner(purse))) continue
    return (await quote(renter, { provider, nodeId, term })).feeWei
  }
  throw nothingFits()
}

const nothingFits = (): AppError => appError('not_found', 'no idle machine fits')

async function cheapest(renter: Renter, query: NodeQuery, term: string | number, signal?: AbortSignal): Promise<FoundNode[]> {
  const forTime = typeof term === 'number' ? `${term}s` : term
  const { nodes } = await searchIdle(renter, { ...query, for: forTime, sort: 'price', limit: 50 }, { signal })
  return nodes.filter(({ blocker }) => blocker === undefined).slice(0, MAX_TRIES)
}
