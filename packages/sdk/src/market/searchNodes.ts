import { readNodeSearch } from '@rackfair/protocol/nodes'
import { malformed } from '@rackfair/protocol/shape'
import type { NodeBlocker } from '@rackfair/rules/node/blocker'
import type { NodeOffer } from '@rackfair/rules/node/node'
import { checkoutBlocker } from '@rackfair/rules/order/checkout'
import type { ReadOptions } from '../http/createApi.ts'
import type { NodeQuery } from '../http/NodeQuery.ts'
import { serverSeconds } from '../serverClock.ts'
import type { Market } from './connectMarket.ts'

/** More machines than a market has: a list that goes on would never end. */
const MAX_NODES = 100_000

/** A search result. */
export interface FoundNode extends NodeOffer {
  /** Why it cannot be bought; undefined when it can. */
  blocker: NodeBlocker | undefined
}

export interface NodePage {
  nodes: FoundNode[]
  /** The number of matches over all pages. */
  total: number
  /** Pass it as `cursor` for the next page; null on the last one. */
  next: string | null
  /** Words of the query's `text` that make no difference, since no machine has them. */
  ignored: readonly string[]
  /** The GPU models that the query would leave without its own choice of them. */
  gpuModels: readonly string[]
  /** The block at which the list was read. */
  block: number
}

/**
 * One page of the machines that match, sorted by price by default.
 *
 * @param read.minBlock of one's own last transaction, so that the answer includes it; `searchIdle` waits for all of the chain.
 * @throws AppError `platform_unreachable` (retryable), `bad_request`, `answer_malformed`.
 * @example const { nodes } = await searchNodes(market, { text: '4090', idle: true, maxPrice: '200' })
 */
export async function searchNodes(market: Pick<Market, 'api'>, query: NodeQuery = {}, read: ReadOptions = {}): Promise<NodePage> {
  const page = readNodeSearch(await market.api.nodes({ sort: 'price', ...query }, read))
  const now = serverSeconds()
  return {
    nodes: page.nodes.map((node) => ({
      ...node,
      blocker: checkoutBlocker({ machine: node }, { address: undefined }, { now, penalty: node.penalty }),
    })),
    total: page.total,
    next: page.next,
    ignored: page.ignored,
    gpuModels: page.facets.gpu.map(({ value }) => value),
    block: page.block,
  }
}

/**
 * All machines that match; pages are fetched as the iteration proceeds.
 * @throws as `searchNodes`; `answer_malformed` as well for a list that does not end.
 * @example for await (const node of listNodes(market, { minGpus: 1 })) console.log(node.name)
 */
export async function* listNodes(market: Pick<Market, 'api'>, query: NodeQuery = {}): AsyncGenerator<FoundNode> {
  let cursor = query.cursor
  let listed = 0
  do {
    const page = await searchNodes(market, { ...query, ...(cursor === undefined ? {} : { cursor }) })
    yield* page.nodes
    listed += page.nodes.length
    if (page.next !== null && (page.nodes.length === 0 || listed >= MAX_NODES))
      throw malformed('nodes.next', 'null after the last page')
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
}
