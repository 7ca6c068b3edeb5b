import type { NodeSort, NodeWire } from '@rackfair/core/wire'

/** What a search compares, read out of a node once. */
export interface SearchEntry {
  node: NodeWire
  text: string
  rate: bigint
  pledge: bigint
  key: string
}

export type Rank = string | number | bigint

const RANKS: Record<string, (entry: SearchEntry) => Rank> = {
  price: (entry) => entry.rate,
  name: (entry) => entry.node.nodename.toLowerCase(),
  cpu: ({ node }) => node.cpu.num * node.cpu.core,
  gpu: ({ node }) => node.gpu.num,
  memory: ({ node }) => node.mem.num,
  storage: ({ node }) => node.disk.num,
  activate: ({ node }) => Number(!node.online),
  state: ({ node }) => Number(node.sold),
}

export interface Place {
  rank: Rank
  key: string
}

/** The nodes of one state of the catalogue, ready to be searched, and sorted at most once per sort. */
export class SearchIndex {
  readonly entries: readonly SearchEntry[]
  private readonly orders = new Map<NodeSort, readonly SearchEntry[]>()

  constructor(nodes: readonly NodeWire[]) {
    this.entries = nodes.map((node) => ({
      node,
      text: `${node.nodename}\n${node.gpu.model}\n${node.cpu.model}`.toLowerCase(),
      rate: BigInt(node.ratePerMonth),
      pledge: BigInt(node.pledge),
      key: `${node.cp}|${String(node.id).padStart(20, '0')}`,
    }))
  }

  sorted(sort: NodeSort): readonly SearchEntry[] {
    const known = this.orders.get(sort)
    if (known) return known
    const made = sort === 'newest' ? [...this.entries].reverse() : this.rankedBy(sort)
    this.orders.set(sort, made)
    return made
  }

  private rankedBy(sort: NodeSort): SearchEntry[] {
    const list = this.entries.map((entry) => ({ entry, ...placeOf(entry, sort) }))
    return list.sort((a, b) => compare(sort, a, b)).map(({ entry }) => entry)
  }
}

export function placeOf(entry: SearchEntry, sort: NodeSort): Place {
  return { rank: RANKS[sort.replace('-', '')]?.(entry) ?? 0, key: entry.key }
}

/** Total order: the rank of the sort, then the node's own key, so that a cursor names one place. */
export function compare(sort: NodeSort, a: Place, b: Place): number {
  const sign = sort.startsWith('-') ? -1 : 1
  if (a.rank !== b.rank) return a.rank < b.rank ? -sign : sign
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}
