import { parseCredit } from '@rackfair/core'
import type { NodeSearchAnswer, NodeSearchQuery, NodeSort, NodeWire } from '@rackfair/core/wire'
import { histogramOf } from './histogramOf.ts'
import { medianRateOf } from './medianRates.ts'
import { type SearchEntry, SearchIndex } from './SearchIndex.ts'
import { BadCursor, cursorOf, startAfter } from './searchCursor.ts'

const DEFAULT_LIMIT = 50
const DEFAULT_SORT: NodeSort = 'price'
const indexes = new WeakMap<readonly NodeWire[], SearchIndex>()

export { BadCursor }

/** One page of the nodes that match, with counts of what another choice would leave. One pass over sorted nodes. */
export function searchNodes(nodes: readonly NodeWire[], query: NodeSearchQuery): Omit<NodeSearchAnswer, 'block'> {
  const sort = query.sort ?? DEFAULT_SORT
  const index = indexes.get(nodes) ?? new SearchIndex(nodes)
  indexes.set(nodes, index)
  const min = query.minPrice === undefined ? undefined : parseCredit(query.minPrice)
  const max = query.maxPrice === undefined ? undefined : parseCredit(query.maxPrice)
  const gpus = listOf(query.gpu)
  const cpus = listOf(query.cpu)
  const matches = matcher(query)

  const gpuCounts = new Map<string, number>()
  const cpuCounts = new Map<string, number>()
  const rates: bigint[] = []
  const found: SearchEntry[] = []
  let idle = 0
  let online = 0
  for (const entry of index.sorted(sort)) {
    if (!matches(entry)) continue
    const { node, rate } = entry
    const gpuFits = gpus.size === 0 || (node.gpu.num > 0 && gpus.has(node.gpu.model))
    const cpuFits = cpus.size === 0 || (node.cpu.num > 0 && cpus.has(node.cpu.model))
    if (cpuFits && node.gpu.num > 0) count(gpuCounts, node.gpu.model)
    if (gpuFits && node.cpu.num > 0) count(cpuCounts, node.cpu.model)
    if (!gpuFits || !cpuFits) continue
    rates.push(rate)
    if ((min !== undefined && rate < min) || (max !== undefined && rate > max)) continue
    found.push(entry)
    if (!node.sold) idle += 1
    if (node.online) online += 1
  }
  const limit = query.limit ?? DEFAULT_LIMIT
  const start = query.cursor === undefined ? 0 : startAfter(found, sort, query.cursor)
  const page = found.slice(start, start + limit)
  const last = page.at(-1)
  return {
    items: page.map(({ node }) => ({ ...node, medianRate: medianRateOf(nodes, node) })),
    next: last && start + limit < found.length ? cursorOf(last, sort) : null,
    total: found.length,
    facets: { gpu: facet(gpuCounts), cpu: facet(cpuCounts), idle, online },
    histogram: histogramOf(rates),
  }
}

/** All filters but the models and the price range, which are counted apart. */
function matcher(query: NodeSearchQuery): (entry: SearchEntry) => boolean {
  const text = query.text?.trim().toLowerCase() ?? ''
  const provider = query.provider?.toLowerCase()
  const minPledge = query.minPledge === undefined ? undefined : parseCredit(query.minPledge)
  const { minMemory = 0, minDisk = 0, minGpus = 0, idle, online } = query
  return ({ node, text: own, pledge }) =>
    (text === '' || own.includes(text)) &&
    (provider === undefined || node.cp === provider) &&
    node.mem.num >= minMemory &&
    node.disk.num >= minDisk &&
    node.gpu.num >= minGpus &&
    (minPledge === undefined || pledge >= minPledge) &&
    (idle === undefined || !node.sold === (idle === 'true')) &&
    (online === undefined || node.online === (online === 'true'))
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1)
}

function facet(counts: ReadonlyMap<string, number>): { value: string; count: number }[] {
  const list = [...counts].map(([value, members]) => ({ value, count: members }))
  return list.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}

function listOf(text: string | undefined): Set<string> {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  return new Set(parts.filter((part) => part !== ''))
}
