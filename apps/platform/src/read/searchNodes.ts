import { parseCredit } from '@rackfair/core'
import type { NodeSearchAnswer, NodeSearchQuery, NodeSort, NodeWire } from '@rackfair/core/wire'
import { histogramOf } from './histogramOf.ts'
import { medianRateOf } from './medianRates.ts'

const DEFAULT_LIMIT = 50
type Answer = Omit<NodeSearchAnswer, 'block'>

/** Thrown for a cursor that this search did not give out. */
export class BadCursor extends Error {}

/** One page of the nodes that match, with counts of what a further filter would leave. */
export function searchNodes(nodes: readonly NodeWire[], query: NodeSearchQuery): Answer {
  const sort = query.sort ?? 'price'
  const beforePrice = nodes.filter(matcher(query))
  const min = query.minPrice === undefined ? undefined : parseCredit(query.minPrice)
  const max = query.maxPrice === undefined ? undefined : parseCredit(query.maxPrice)
  const matching = beforePrice.filter((node) => {
    const rate = BigInt(node.ratePerMonth)
    return (min === undefined || rate >= min) && (max === undefined || rate <= max)
  })
  const ordered = sortedBy(matching, sort)
  const limit = query.limit ?? DEFAULT_LIMIT
  const start = query.cursor === undefined ? 0 : startAfter(ordered, sort, query.cursor)
  const page = ordered.slice(start, start + limit)
  const last = page.at(-1)
  const gpus = nodes.filter(matcher({ ...query, gpu: undefined }))
  const cpus = nodes.filter(matcher({ ...query, cpu: undefined }))
  return {
    items: page.map((node) => ({ ...node, medianRate: medianRateOf(nodes, node) })),
    next: last && start + limit < ordered.length ? cursorOf(last, sort) : null,
    total: ordered.length,
    facets: {
      gpu: facet(gpus.filter((node) => node.gpu.num > 0).map((node) => node.gpu.model)),
      cpu: facet(cpus.filter((node) => node.cpu.num > 0).map((node) => node.cpu.model)),
      idle: matching.filter((node) => !node.sold).length,
      online: matching.filter((node) => node.online).length,
    },
    histogram: histogramOf(beforePrice.map((node) => BigInt(node.ratePerMonth))),
  }
}

type Filters = { [Field in keyof NodeSearchQuery]: NodeSearchQuery[Field] | undefined }

function matcher(query: Filters): (node: NodeWire) => boolean {
  const text = query.text?.trim().toLowerCase() ?? ''
  const gpus = listOf(query.gpu)
  const cpus = listOf(query.cpu)
  const provider = query.provider?.toLowerCase()
  const minPledge = query.minPledge === undefined ? undefined : parseCredit(query.minPledge)
  const { minMemory = 0, minDisk = 0, minGpus = 0, idle, online } = query
  return (node) =>
    (text === '' || [node.nodename, node.gpu.model, node.cpu.model].some((part) => part.toLowerCase().includes(text))) &&
    (gpus.size === 0 || (node.gpu.num > 0 && gpus.has(node.gpu.model))) &&
    (cpus.size === 0 || (node.cpu.num > 0 && cpus.has(node.cpu.model))) &&
    (provider === undefined || node.cp === provider) &&
    node.mem.num >= minMemory &&
    node.disk.num >= minDisk &&
    node.gpu.num >= minGpus &&
    (minPledge === undefined || BigInt(node.pledge) >= minPledge) &&
    (idle === undefined || String(!node.sold) === idle) &&
    (online === undefined || String(node.online) === online)
}

const RANKS: Record<string, (node: NodeWire) => string | number | bigint> = {
  price: (node) => BigInt(node.ratePerMonth),
  name: (node) => node.nodename.toLowerCase(),
  cpu: (node) => node.cpu.num * node.cpu.core,
  gpu: (node) => node.gpu.num,
  memory: (node) => node.mem.num,
  storage: (node) => node.disk.num,
}

type Ranked = { rank: string | number | bigint; key: string }

/** Total order: the rank of the sort, then the node's own key, so that a cursor names one place. */
function comparer(sort: NodeSort) {
  const sign = sort.startsWith('-') ? -1 : 1
  return (a: Ranked, b: Ranked) => {
    if (a.rank !== b.rank) return a.rank < b.rank ? -sign : sign
    return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
  }
}

function ranked(node: NodeWire, sort: NodeSort): Ranked {
  return { rank: RANKS[sort.replace('-', '')]?.(node) ?? 0, key: `${node.cp}|${String(node.id).padStart(20, '0')}` }
}

function sortedBy(nodes: readonly NodeWire[], sort: NodeSort): NodeWire[] {
  if (sort === 'newest') return [...nodes].reverse()
  const compare = comparer(sort)
  const list = nodes.map((node) => ({ node, ...ranked(node, sort) }))
  return list.sort(compare).map(({ node }) => node)
}

function cursorOf(node: NodeWire, sort: NodeSort): string {
  const { rank, key } = ranked(node, sort)
  return Buffer.from(JSON.stringify([sort, typeof rank === 'bigint' ? `${rank}n` : rank, key])).toString('base64url')
}

function startAfter(ordered: readonly NodeWire[], sort: NodeSort, cursor: string): number {
  const [cursorSort, rawRank, key] = readCursor(cursor)
  if (cursorSort !== sort) throw new BadCursor('the cursor belongs to another sort')
  if (sort === 'newest') {
    const index = ordered.findIndex((node) => ranked(node, sort).key === key)
    return index < 0 ? 0 : index + 1
  }
  const isBig = typeof rawRank === 'string' && sort.endsWith('price')
  if (isBig && !/^\d{1,40}n$/.test(rawRank)) throw new BadCursor('not a cursor of this search')
  const place: Ranked = { rank: isBig ? BigInt(rawRank.slice(0, -1)) : rawRank, key }
  const compare = comparer(sort)
  let low = 0
  let high = ordered.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(ranked(ordered[middle] as NodeWire, sort), place) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function readCursor(cursor: string): [string, string | number, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(value) && value.length === 3) {
      const [sort, rank, key] = value
      if (typeof sort === 'string' && (typeof rank === 'string' || typeof rank === 'number') && typeof key === 'string')
        return [sort, rank, key]
    }
  } catch {
    // Falls through to the one answer for everything that is no cursor.
  }
  throw new BadCursor('not a cursor of this search')
}

function facet(models: readonly string[]): { value: string; count: number }[] {
  const counts = [...Map.groupBy(models, (model) => model)].map(([value, members]) => ({ value, count: members.length }))
  return counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}

function listOf(text: string | undefined): Set<string> {
  return new Set(
    (text ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
}
