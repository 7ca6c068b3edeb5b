import { type NodeBlocker, nodeBlocker } from '@rackfair/core'
import type { NodeListItem, NodeSearchQuery, VerificationWire } from '@rackfair/core/wire'
import type { Address } from 'viem'
import type { Market } from './connectMarket.ts'

/** What is looked for. Memory and disk in GB, prices in USD a month as decimals, lists as `encodeList` writes them. */
export type NodeQuery = Omit<NodeSearchQuery, 'idle' | 'online'> & { idle?: boolean | undefined; online?: boolean | undefined }

/** A machine of the market. */
export interface MarketNode {
  provider: Address
  nodeId: number
  /** Name of the provider, a hyphen, and the id. Chosen by a stranger. */
  name: string
  cpu: { model: string; count: number; cores: number }
  gpu: { model: string; count: number }
  memoryGb: number
  diskGb: number
  /** Wei of Credit for a month of all of it. */
  ratePerMonthWei: bigint
  online: boolean
  sold: boolean
  /** Why it cannot be bought; undefined when it can. */
  blocker: NodeBlocker | undefined
  /** What monitors agree on about its hardware, by the platform's word; undefined where they did not test it as it is offered. */
  verification: VerificationWire | undefined
  /** Its own provider says that the hardware is only pretended, as on a local market with samples. */
  sample: boolean
}

export interface NodePage {
  nodes: MarketNode[]
  /** All that match, on every page. */
  total: number
  /** Hand it in as `cursor` for the page that follows; null on the last one. */
  next: string | null
  /** The block that the list was read at. */
  block: number
}

/**
 * One page of the machines that match, by price unless `sort` says otherwise.
 *
 * @throws AppError `platform_unreachable` (retryable), `bad_request`.
 * @example const { nodes } = await searchNodes(market, { text: '4090', idle: true, maxPrice: '200' })
 */
export async function searchNodes(market: Pick<Market, 'api'>, query: NodeQuery = {}, signal?: AbortSignal): Promise<NodePage> {
  const { idle, online, ...rest } = query
  const flags = { ...flag('idle', idle), ...flag('online', online) }
  const page = await market.api.nodes({ sort: 'price', ...rest, ...flags }, signal ? { signal } : {})
  const now = Math.floor(Date.now() / 1000)
  return {
    nodes: page.items.map((item) => nodeOf(item, now)),
    total: page.total,
    next: page.next,
    block: page.block,
  }
}

/**
 * All machines that match, page by page as they are asked for.
 * @throws as `searchNodes`.
 * @example for await (const node of listNodes(market, { minGpus: 1 })) console.log(node.name)
 */
export async function* listNodes(market: Pick<Market, 'api'>, query: NodeQuery = {}): AsyncGenerator<MarketNode> {
  let cursor = query.cursor
  do {
    const page = await searchNodes(market, { ...query, ...(cursor === undefined ? {} : { cursor }) })
    yield* page.nodes
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
}

const flag = (name: 'idle' | 'online', value: boolean | undefined) => (value === undefined ? {} : { [name]: `${value}` as const })

function nodeOf(item: NodeListItem, now: number): MarketNode {
  return {
    provider: item.cp as Address,
    nodeId: item.id,
    name: item.nodename,
    cpu: { model: item.cpu.model, count: item.cpu.num, cores: item.cpu.core },
    gpu: { model: item.gpu.model, count: item.gpu.num },
    memoryGb: item.mem.num,
    diskGb: item.disk.num,
    ratePerMonthWei: BigInt(item.ratePerMonth),
    online: item.online,
    sold: item.sold,
    blocker: nodeBlocker(item, undefined, now),
    verification: item.verification,
    sample: item.sample === true,
  }
}
