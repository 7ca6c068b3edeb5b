import type { NodeWire } from '@rackfair/protocol/nodes'
import type { NodeSort } from '@rackfair/rules/node/sort'
import { medianOf } from '@rackfair/rules/prices/median'
import { isOnOffer } from './isOnOffer.ts'
import { isWordOf } from './isWordOf.ts'
import { comparedModel, isModel, modelOf } from './models.ts'
import type { SearchEntry } from './searchEntryOf.ts'

export type Rank = string | number | bigint

/** Machines without a GPU sort last in both directions. */
const DEAREST = 10n ** 39n

const RANKS: Record<string, (entry: SearchEntry) => Rank> = {
  name: (entry) => entry.node.nodename.toLowerCase(),
  cpu: ({ node }) => node.cpu.num * node.cpu.core,
  gpu: ({ node }) => node.gpu.num,
  memory: ({ node }) => node.mem.num,
  storage: ({ node }) => node.disk.num,
  activate: ({ node }) => Number(!node.online),
  state: ({ node }) => Number(node.sold),
  newest: (entry) => -entry.addedTime,
  reliability: (entry) => entry.chance,
  perGpu: ({ node, rate }) => (node.gpu.num > 0 ? rate / BigInt(node.gpu.num) : DEAREST),
  '-perGpu': ({ node, rate }) => (node.gpu.num > 0 ? rate / BigInt(node.gpu.num) : 0n),
}

export interface Place {
  rank: Rank
  key: string
}

/** The model of each position, as its number in the alphabet of models: they can be counted and sorted without comparing strings. */
export interface Models {
  kind: 'gpu' | 'cpu'
  names: readonly string[]
  of: Int32Array
  /** Per model, those that its name finds: `A100` finds `A100 PCIe 80GB` too. */
  finds: readonly (readonly number[])[]
}

/** What filters compare, in the order of `byPrice`, as columns so that a pass over all of it is fast. */
export interface Columns {
  rate: readonly bigint[]
  text: readonly string[]
  mem: Float64Array
  disk: Float64Array
  gpus: Float64Array
  /** Memory of one GPU, GB; 0 if there is none or the model is unknown. */
  vram: Float64Array
  /** Of all processors. */
  cores: Float64Array
  /** Probability of 30 days without an outage. */
  chance: Float64Array
  sold: Uint8Array
  online: Uint8Array
  /** Whether monitors verified its hardware recently. */
  verified: Uint8Array
}

const MAX_KEPT = 100
const MAX_KEPT_LENGTH = 500

export type Facet = { value: string; count: number }[]

/** The nodes that match everything but the price range, by price. Positions in the index, ascending. */
export interface Matching {
  places: readonly number[]
  /** Monthly price of each, ascending. */
  rates: readonly bigint[]
  /** The same without the filter on the model of GPU, and of CPU. */
  anyGpu: readonly number[]
  anyCpu: readonly number[]
}

/**
 * The nodes of one state of the catalogue, ready to be searched: sorted by price, every other order computed at most once. Given the
 * previous index, only what has moved is sorted again.
 */
export class SearchIndex {
  readonly entries: readonly SearchEntry[]
  readonly nodes: readonly NodeWire[]
  readonly byPrice: readonly SearchEntry[]
  readonly gpus: Models
  readonly cpus: Models
  readonly columns: Columns
  /** Results per set of filters. */
  readonly kept = new Map<string, Matching>()
  private readonly orders = new Map<NodeSort, readonly number[]>()
  private readonly medians: ReadonlyMap<string, string>
  private readonly words = new Map<string, boolean>()

  constructor(entries: readonly SearchEntry[], before?: SearchIndex) {
    this.entries = entries
    this.nodes = entries.map(({ node }) => node)
    this.byPrice = inOrderOf(before?.byPrice ?? [], entries).sort(comparePrice)
    this.columns = columnsOf(this.byPrice)
    this.gpus = modelsOf(this.byPrice, 'gpu')
    this.cpus = modelsOf(this.byPrice, 'cpu')
    this.medians = mediansOf(this.byPrice)
  }

  keep(key: string, matching: Matching): void {
    if (this.kept.size >= MAX_KEPT) this.kept.clear()
    if (key.length <= MAX_KEPT_LENGTH) this.kept.set(key, matching)
  }

  /** Whether any machine has this word, in lower case, in its name or models. */
  hasWord(word: string): boolean {
    const known = this.words.get(word)
    if (known !== undefined) return known
    if (this.words.size >= MAX_KEPT) this.words.clear()
    const found = this.columns.text.some((text) => isWordOf(text, word))
    this.words.set(word, found)
    return found
  }

  /** Positions in `byPrice`, in the order of this sort. */
  order(sort: NodeSort): readonly number[] {
    const known = this.orders.get(sort)
    if (known) return known
    const places = this.byPrice.map((entry, at) => ({ at, ...placeOf(entry, sort) }))
    const made = (sort === 'price' ? places : places.sort((a, b) => compare(sort, a, b))).map(({ at }) => at)
    this.orders.set(sort, made)
    return made
  }

  /** The monthly price per unit of this node, and its median over those with the same model that can be bought; null with fewer than two. */
  unitRatesOf({ node, unitRate }: SearchEntry): { unitRate: string; medianUnitRate: string | null } {
    return { unitRate: String(unitRate), medianUnitRate: this.medians.get(comparedModel(node)) ?? null }
  }
}

export function placeOf(entry: SearchEntry, sort: NodeSort): Place {
  const rank = sort.endsWith('price') ? entry.rate : ((RANKS[sort] ?? RANKS[sort.replace('-', '')])?.(entry) ?? 0)
  return { rank, key: entry.key }
}

/** Total order: the rank of the sort, then the node's own key, so that a cursor names one position. */
export function compare(sort: NodeSort, a: Place, b: Place): number {
  const sign = sort.startsWith('-') ? -1 : 1
  if (a.rank !== b.rank) return a.rank < b.rank ? -sign : sign
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

function comparePrice(a: SearchEntry, b: SearchEntry): number {
  if (a.roughRate !== b.roughRate) return a.roughRate - b.roughRate
  if (a.rate !== b.rate) return a.rate < b.rate ? -1 : 1
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

/** The entries in their previous order, new ones last: nearly sorted, so sorting is fast. */
function inOrderOf(before: readonly SearchEntry[], entries: readonly SearchEntry[]): SearchEntry[] {
  if (before.length === 0) return [...entries]
  const fresh = new Map(entries.map((entry) => [entry.key, entry]))
  const list: SearchEntry[] = []
  for (const { key } of before) {
    const entry = fresh.get(key)
    if (entry && fresh.delete(key)) list.push(entry)
  }
  return [...list, ...fresh.values()]
}

function columnsOf(entries: readonly SearchEntry[]): Columns {
  const nodes = entries.map(({ node }) => node)
  return {
    rate: entries.map(({ rate }) => rate),
    text: entries.map(({ text }) => text),
    mem: Float64Array.from(nodes, ({ mem }) => mem.num),
    disk: Float64Array.from(nodes, ({ disk }) => disk.num),
    gpus: Float64Array.from(nodes, ({ gpu }) => gpu.num),
    vram: Float64Array.from(nodes, ({ gpu }) => (gpu.num > 0 ? modelOf('gpu', gpu.model).memoryGb : 0)),
    cores: Float64Array.from(nodes, ({ cpu }) => cpu.num * cpu.core),
    chance: Float64Array.from(entries, ({ chance }) => chance),
    sold: Uint8Array.from(nodes, ({ sold }) => Number(sold)),
    online: Uint8Array.from(nodes, ({ online }) => Number(online)),
    verified: Uint8Array.from(nodes, ({ verification }) => Number(verification?.verified === true)),
  }
}

function modelsOf(entries: readonly SearchEntry[], kind: Models['kind']): Models {
  const offered = new Map<string, string>()
  for (const { node } of entries) {
    if (node[kind].num === 0) continue
    const { key, label } = modelOf(kind, node[kind].model)
    if (!offered.has(key)) offered.set(key, label)
  }
  const models = [...offered].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0))
  const names = models.map(([, label]) => label)
  const numbers = new Map(models.map(([key], number) => [key, number]))
  const numberOf = ({ node }: SearchEntry) => (node[kind].num > 0 ? (numbers.get(modelOf(kind, node[kind].model).key) ?? -1) : -1)
  const ofCard = Map.groupBy(names.keys(), (number) => modelOf(kind, names[number] as string).gpu?.card)
  const finds = names.map((name, number) => {
    const { gpu } = modelOf(kind, name)
    return gpu ? (ofCard.get(gpu.card) ?? []).filter((other) => isModel(kind, name, names[other] as string)) : [number]
  })
  return { kind, names, of: Int32Array.from(entries, numberOf), finds }
}

function mediansOf(entries: readonly SearchEntry[]): Map<string, string> {
  const medians = new Map<string, string>()
  const offered = entries.filter(({ node }) => isOnOffer(node))
  for (const [key, group] of Map.groupBy(offered, ({ node }) => comparedModel(node))) {
    const median = medianOf(group.map(({ unitRate }) => unitRate))
    if (group.length > 1 && median !== undefined) medians.set(key, String(median))
  }
  return medians
}
