import {
  address,
  amount,
  count,
  fieldsOf,
  flag,
  id,
  listOf,
  oneOf,
  optional,
  orNull,
  type Read,
  seconds,
  text,
  wei,
} from '@rackfair/protocol/shape'
import type { MarketNode, NodeOffer, NodeReliability, NodeVerification, OversoldPart } from '@rackfair/rules/node/node'
import { TAKES } from '@rackfair/rules/node/takes'

/** Maximum number of models counted beside a list. */
const MAX_FACETS = 10_000
const MAX_BARS = 1000

/** One page of the list, with counts over all nodes that match. */
export interface NodeSearchPage {
  nodes: readonly NodeOffer[]
  /** The cursor of the next page; null on the last one. */
  next: string | null
  /** The number of matches over all pages. */
  total: number
  facets: { gpu: readonly Facet[]; cpu: readonly Facet[]; idle: number; online: number; verified: number }
  /** Monthly totals in wei of all nodes that match the query without its price range: buckets of equal width, cheapest first. */
  histogram: readonly PriceBar[]
  /** What of the query's `text` makes no difference: words that no machine has, and for how long. */
  ignored: readonly string[]
  /** The block at which the list was read. */
  block: number
}

/** How many nodes have a model. */
export interface Facet {
  value: string
  count: number
}

export interface PriceBar {
  fromWei: bigint
  toWei: bigint
  count: number
}

/** A node in the rack of the home page. Prices in wei of Credit per month. */
export interface RackSlot extends Pick<NodeOffer, 'provider' | 'nodeId' | 'name' | 'memoryGb' | 'diskGb' | 'sample'> {
  gpu: { model: string; count: number }
  cpu: { model: string; count: number }
  state: 'idle' | 'running' | 'offline'
  ratePerMonthWei: bigint
  unitRateWei: bigint
  medianUnitRateWei: bigint | null
}

export interface Rack {
  slots: readonly RackSlot[]
  /** Includes nodes that are not among the slots. */
  total: number
  block: number
  /** Unix seconds. */
  blockTime: number
}

/** What a model costs in this market, per unit and month in wei of Credit. */
export interface ModelPrice {
  kind: 'gpu' | 'cpu' | 'mem' | 'disk'
  model: string
  /** How many nodes offer it. */
  nodes: number
  minUnitWei: bigint
  medianUnitWei: bigint
  /** Monthly total of the cheapest idle node with it; null if none is idle. */
  cheapestIdleWei: bigint | null
}

/**
 * A node of `GET /v1/nodes/{provider}/{id}` and of every answer that contains one.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readNode: Read<MarketNode> = (json, name) => {
  const of = fieldsOf(json, name)
  const [cpu, gpu] = [of('cpu', readModel), of('gpu', readModel)]
  const [memory, disk] = [of('mem', readPart), of('disk', readPart)]
  return {
    provider: of('cp', address),
    nodeId: of('id', count),
    name: of('nodename', text),
    providerName: of('providerName', text),
    revision: of('rev', count),
    cpu: { model: cpu.model, count: cpu.count, cores: of('cpu', readCores) },
    gpu: { model: gpu.model, count: gpu.count },
    memoryGb: memory.count,
    diskGb: disk.count,
    prices: { pCPU: cpu.priceWei, pGPU: gpu.priceWei, pMEM: memory.priceWei, pDISK: disk.priceWei },
    ratePerMonthWei: of('ratePerMonth', wei),
    exist: of('exist', flag),
    sold: of('sold', flag),
    orderId: of('orderId', id),
    soldUntil: of('soldUntil', orNull(seconds)),
    deployed: of('avail', flag),
    online: of('online', flag),
    switchedOn: of('switchedOn', flag),
    offlineSince: of('offlineSince', orNull(seconds)),
    pledgeWei: of('pledge', wei),
    pledgeLockedWei: of('pledgeLocked', wei),
    penalty: of('penalty', optional(count)),
    oversold: of('oversold', optional(readOversold)),
    sample: of('sample', optional(flag)) ?? false,
    takes: of('takes', optional(listOf(oneOf(...TAKES)))),
    ready: of('ready', optional(listOf(text))),
    reliability: of('reliability', optional(readReliability)),
    verification: of('verification', optional(readVerification)),
  }
}

/**
 * A node with the price of its unit, as `GET /v1/nodes` and `GET /v1/nodes/{provider}/{id}` answer it.
 * @throws AppError `answer_malformed`.
 */
export function readNodeOffer(json: unknown): NodeOffer {
  return offer(json, 'node')
}

/**
 * `GET /v1/nodes`.
 * @throws AppError `answer_malformed`.
 */
export function readNodeSearch(json: unknown): NodeSearchPage {
  const of = fieldsOf(json, 'nodes')
  return {
    nodes: of('items', listOf(offer)),
    next: of('next', orNull(text)),
    total: of('total', count),
    facets: of('facets', (json, name) => {
      const facet = fieldsOf(json, name)
      return {
        gpu: facet('gpu', listOf(readFacet, MAX_FACETS)),
        cpu: facet('cpu', listOf(readFacet, MAX_FACETS)),
        idle: facet('idle', count),
        online: facet('online', count),
        verified: facet('verified', count),
      }
    }),
    ignored: of('ignored', optional(listOf(text))) ?? [],
    histogram: of('histogram', listOf(readBar, MAX_BARS)),
    block: of('block', count),
  }
}

/**
 * `GET /v1/rack`.
 * @throws AppError `answer_malformed`.
 */
export function readRack(json: unknown): Rack {
  const of = fieldsOf(json, 'rack')
  return {
    slots: of('slots', listOf(readSlot)),
    total: of('total', count),
    block: of('block', count),
    blockTime: of('blockTime', seconds),
  }
}

/**
 * `GET /v1/prices`.
 * @throws AppError `answer_malformed`.
 */
export function readPrices(json: unknown): readonly ModelPrice[] {
  return fieldsOf(json, 'prices')('models', listOf(readModelPrice))
}

/** Parts that a provider oversells. */
export const readOversold: Read<readonly OversoldPart[]> = listOf(oneOf('cpu', 'memory', 'storage', 'gpu'))

/** What monitors observed of a node, as the platform counts it. */
export const readReliability: Read<NodeReliability> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    failures: of('failures', amount),
    observedDays: of('observedDays', amount),
    seenDays: of('seenDays', amount),
    countedDays: of('countedDays', amount),
    outages: of('outages', count),
    brokenOrders: of('brokenOrders', count),
    strip: of('strip', text),
    day: of('day', count),
  }
}

/** What monitors agree on for a node's hardware. */
export const readVerification: Read<NodeVerification> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    outcome: of('outcome', oneOf('passed', 'failed')),
    hardwareClass: of('hardwareClass', count),
    verified: of('verified', flag),
    time: of('time', seconds),
    agreed: of('agreed', count),
    needed: of('needed', count),
    memoryBytes: of('memoryBytes', count),
    cores: of('cores', count),
    gpus: of('gpus', count),
  }
}

interface Part {
  count: number
  priceWei: bigint
}

const readPart: Read<Part> = (json, name) => {
  const of = fieldsOf(json, name)
  return { count: of('num', count), priceWei: of('priceMon', wei) }
}

const readModel: Read<Part & { model: string }> = (json, name) => ({
  model: fieldsOf(json, name)('model', text),
  ...readPart(json, name),
})

const readCores: Read<number> = (json, name) => fieldsOf(json, name)('core', count)

const offer: Read<NodeOffer> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    ...readNode(json, name),
    unitRateWei: of('unitRate', wei),
    medianUnitRateWei: of('medianUnitRate', orNull(wei)),
  }
}

const readFacet: Read<Facet> = (json, name) => {
  const of = fieldsOf(json, name)
  return { value: of('value', text), count: of('count', count) }
}

const readBar: Read<PriceBar> = (json, name) => {
  const of = fieldsOf(json, name)
  return { fromWei: of('from', wei), toWei: of('to', wei), count: of('count', count) }
}

const readSlot: Read<RackSlot> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    provider: of('cp', address),
    nodeId: of('id', count),
    name: of('nodename', text),
    gpu: { model: of('gpu', text), count: of('nGPU', count) },
    cpu: { model: of('cpu', text), count: of('nCPU', count) },
    memoryGb: of('mem', count),
    diskGb: of('disk', count),
    state: of('state', oneOf('idle', 'running', 'offline')),
    ratePerMonthWei: of('ratePerMonth', wei),
    unitRateWei: of('unitRate', wei),
    medianUnitRateWei: of('medianUnitRate', orNull(wei)),
    sample: of('sample', optional(flag)) ?? false,
  }
}

const readModelPrice: Read<ModelPrice> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    kind: of('kind', oneOf('gpu', 'cpu', 'mem', 'disk')),
    model: of('model', text),
    nodes: of('nodes', count),
    minUnitWei: of('minUnit', wei),
    medianUnitWei: of('medianUnit', wei),
    cheapestIdleWei: of('cheapestIdleRate', orNull(wei)),
  }
}
