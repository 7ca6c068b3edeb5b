import { MIN_ORDER_SECONDS } from '@rackfair/rules/duration'
import { NEEDED_PARTS } from '@rackfair/rules/node/lacks'
import type { MarketNode, NodeOffer } from '@rackfair/rules/node/node'
import { CONTAINER_RUNTIMES, TAKES } from '@rackfair/rules/node/takes'
import { MAX_PRESETS } from './presets.ts'
import { nodeReliability } from './reliability.ts'
import {
  address,
  count,
  countTo,
  flag,
  from,
  group,
  id,
  into,
  listOf,
  object,
  oneOf,
  optional,
  orElse,
  orNull,
  seconds,
  text,
  textOf,
  unread,
  type ValueOf,
  type WireOf,
  wei,
} from './shape.ts'
import { verification } from './verification.ts'

/** Maximum number of models that an answer counts or prices, the most offered first: providers can invent names. */
export const MAX_MODELS_LISTED = 500
/** More countries than there are. */
export const MAX_COUNTRIES_LISTED = 300
const MAX_BARS = 1000
/** Maximum number of registries, and of catalogue applications. */
const MAX_NAMES = 100

/** `priceMon` is wei per unit and month, `priceSec` the same per second rounded down, for display only. */
const part = { count: from('num', count), priceWei: from('priceMon', wei), priceSec: unread(wei) }

/** Resources of which a provider's nodes together offer more than its machine has, as its agent measured it. */
export const oversoldParts = listOf(oneOf('cpu', 'memory', 'storage', 'gpu'))

/** True where the provider's agent declares the hardware simulated. */
export const sample = orElse(flag, () => false)

/** What a provider takes, as its agent announced when it connected. */
export const providerTakes = object({
  /** Null if it takes only applications of the catalogue. */
  ownImages: orNull(
    object({
      /** Maximum size of an image in GB, compressed and unpacked. */
      maxGb: countTo(1000),
      /** The only registries that it pulls from; absent if it pulls from any on the internet. */
      registries: optional(listOf(textOf(253), MAX_NAMES)),
    }),
  ),
  /** Whether applications can have TCP and UDP ports. */
  ports: flag,
  /** Whether orders can be reached by SSH at a port; through their workspace they always can. */
  ssh: flag,
  /** Whether an application can be restricted to its order's owner. */
  protected: flag,
  /** Whether an order may have several services; absent if the agent knows of none. */
  services: optional(flag),
  /** Whether an application may bring files; absent if the agent knows of none. */
  files: optional(flag),
  /** The OCI runtimes available. */
  runtimes: listOf(oneOf(...CONTAINER_RUNTIMES), CONTAINER_RUNTIMES.length),
  /** Applications of the catalogue whose image is present, by name; absent if the agent has not said. */
  ready: optional(listOf(textOf(60), MAX_NAMES)),
})
export type ProviderTakes = WireOf<typeof providerTakes>

/** A node under the specification's field names. `cpu.num` counts processors, `mem.num` and `disk.num` GB. */
const fields = {
  cpu: object({ ...part, model: text, cores: from('core', count) }),
  gpu: object({ ...part, model: text }),
  memory: from('mem', object(part)),
  disk: object(part),
  nodeId: from('id', count),
  provider: from('cp', address),
  /** Provider name, a hyphen, and the id. */
  name: from('nodename', text),
  /** Increases with every change of the node. */
  revision: from('rev', count),
  exist: flag,
  sold: flag,
  /** An application of its order is marked deployed on chain. */
  deployed: from('avail', flag),
  /** The provider's switch is on and its agent was heard from within three heartbeats. */
  online: flag,
  /** The provider's own switch on chain. */
  switchedOn: flag,
  /** When the agent was last heard from, if it is offline; null while it is online, or if it never was. */
  offlineSince: orNull(seconds),
  /** The order that holds the node, `0` for none. */
  orderId: id,
  /** When the order that holds the node ends; null while idle or not activated. */
  soldUntil: orNull(seconds),
  /** The shortest time for which it is sold, in seconds. */
  minTerm: orElse(count, () => MIN_ORDER_SECONDS),
  /** All resources for one month, wei. */
  ratePerMonthWei: from('ratePerMonth', wei),
  /** The provider's pledge, and the part of it locked behind its live orders, in wei. */
  pledgeWei: from('pledge', wei),
  pledgeLockedWei: from('pledgeLocked', wei),
  /**
   * The time whose price the next order locks of the pledge, in seconds, as the owner of the Market set it. Absent until it could be read.
   */
  penalty: optional(count),
  providerName: text,
  /** Resources that the node has none of, so that hardly any application runs on it. Absent if it lacks none. */
  lacks: unread(optional(listOf(oneOf(...NEEDED_PARTS)))),
  /** Resources that its provider oversells, over all its nodes. Absent if its machine has enough of all, or if no agent has said. */
  oversold: optional(oversoldParts),
  sample,
  /** The country where its provider says that its machine stands, by ISO 3166-1; nobody has verified it. Absent if it has not said. */
  region: optional(text),
  /** The version of the NVIDIA driver of its machine, as its agent read it. Absent without a GPU, or if no agent has said. */
  driver: optional(text),
  /** What its provider takes, see `providerTakes`. Absent if its agent has not said. */
  takes: optional(listOf(oneOf(...TAKES))),
  /** Applications of the catalogue whose image its provider has, by name. Absent if its agent has not said. */
  ready: optional(listOf(text)),
  /** What monitors observed of it. Absent if nothing was ever observed and no order broken. */
  reliability: optional(nodeReliability),
  /** What monitors agree on for its hardware. Absent if they have not tested this revision within 30 days. */
  verification: optional(verification),
}
type Fields = ValueOf<ReturnType<typeof object<typeof fields>>>

const toNode = ({ cpu, gpu, memory, disk, ...rest }: Fields): MarketNode => ({
  ...rest,
  cpu: { model: cpu.model, count: cpu.count, cores: cpu.cores },
  gpu: { model: gpu.model, count: gpu.count },
  memoryGb: memory.count,
  diskGb: disk.count,
  prices: { pCPU: cpu.priceWei, pGPU: gpu.priceWei, pMEM: memory.priceWei, pDISK: disk.priceWei },
})

/** A node of every answer that contains one. */
export const nodeShape = into(object(fields), toNode)
export type NodeWire = WireOf<typeof nodeShape>

/**
 * Nodes of different sizes are compared per unit: a GPU, or a processor if there is no GPU. `unitRate` is the monthly total of the whole
 * node divided by its units, `medianUnitRate` the median of that over nodes with the same model; null with fewer than two.
 */
const unitRates = { unitRateWei: from('unitRate', wei), medianUnitRateWei: from('medianUnitRate', orNull(wei)) }
export const nodeOfferShape = into(object({ ...fields, ...unitRates }), (read): NodeOffer => {
  const { unitRateWei, medianUnitRateWei, ...node } = read
  return { ...toNode(node), unitRateWei, medianUnitRateWei }
})
export type NodeListItem = WireOf<typeof nodeOfferShape>

/** How many nodes have a model. */
export const facet = object({ value: text, count })
export type Facet = ValueOf<typeof facet>

/** Monthly totals in wei: how many nodes are between two of them. */
const priceBar = object({ fromWei: from('from', wei), toWei: from('to', wei), count })
export type PriceBar = ValueOf<typeof priceBar>

/** `GET /v1/nodes`: one page of the list, with counts over all nodes that match. */
export const nodeSearchAnswer = object({
  nodes: from('items', listOf(nodeOfferShape)),
  /** The cursor of the next page; null on the last one. */
  next: orNull(text),
  /** The number of matches over all pages. */
  total: count,
  facets: object({
    gpu: listOf(facet, MAX_MODELS_LISTED),
    cpu: listOf(facet, MAX_MODELS_LISTED),
    /** Countries in which providers say that their machines stand. */
    region: orElse(listOf(facet, MAX_COUNTRIES_LISTED), () => []),
    idle: count,
    online: count,
    verified: count,
  }),
  /** Monthly totals in wei of all nodes that match the query without its price range: at most 16 buckets of equal width, cheapest first. */
  histogram: listOf(priceBar, MAX_BARS),
  /** What of the query's `text` makes no difference: words that no node has, and for how long. */
  ignored: orElse(listOf(text), () => []),
  /** The block at which the list was read. */
  block: count,
})
export type NodeSearchPage = ValueOf<typeof nodeSearchAnswer>
export type NodeSearchAnswer = WireOf<typeof nodeSearchAnswer>

/** A node in the rack of the home page. Prices in wei of Credit per month. */
export const rackSlot = object({
  provider: from('cp', address),
  nodeId: from('id', count),
  name: from('nodename', text),
  gpu: group({ model: from('gpu', text), count: from('nGPU', count) }),
  cpu: group({ model: from('cpu', text), count: from('nCPU', count) }),
  memoryGb: from('mem', count),
  diskGb: from('disk', count),
  state: oneOf('idle', 'running', 'offline'),
  ratePerMonthWei: from('ratePerMonth', wei),
  ...unitRates,
  sample,
})
export type RackSlot = ValueOf<typeof rackSlot>
export type RackSlotWire = WireOf<typeof rackSlot>

/**
 * `GET /v1/rack`: one short row per node for the home page, at most 1,000, idle and running first. `total` counts all. `runs` names the
 * applications of the catalogue that an idle machine runs now; absent from platforms that do not say.
 */
export const rackAnswer = object({
  slots: listOf(rackSlot),
  total: count,
  runs: optional(listOf(text, MAX_PRESETS)),
  block: count,
  blockTime: seconds,
})
export type Rack = ValueOf<typeof rackAnswer>
export type RackAnswer = WireOf<typeof rackAnswer>

/** What a model costs in this market, per unit and month in wei of Credit. */
export const modelPrice = object({
  kind: oneOf('gpu', 'cpu', 'mem', 'disk'),
  model: text,
  /** How many nodes offer it. */
  nodes: count,
  minUnitWei: from('minUnit', wei),
  medianUnitWei: from('medianUnit', wei),
  /** Monthly total of the cheapest idle node with it; null if none is idle. */
  cheapestIdleWei: from('cheapestIdleRate', orNull(wei)),
})
export type ModelPrice = ValueOf<typeof modelPrice>

/** `GET /v1/prices`: the median per unit and month of each model on offer, for the price table and the provider's form. */
export const pricesAnswer = object({ models: listOf(modelPrice), block: unread(count) })
export type PricesAnswer = WireOf<typeof pricesAnswer>

/**
 * A node of every answer that contains one.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readNode = (json: unknown, name = 'node'): MarketNode => nodeShape(json, name)

/**
 * A node with the price of its unit, as `GET /v1/nodes` and `GET /v1/nodes/{provider}/{id}` answer it.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readNodeOffer = (json: unknown): NodeOffer => nodeOfferShape(json, 'node')

/**
 * `GET /v1/nodes`.
 * @throws AppError `answer_malformed`.
 */
export const readNodeSearch = (json: unknown): NodeSearchPage => nodeSearchAnswer(json, 'nodes')

/**
 * `GET /v1/rack`.
 * @throws AppError `answer_malformed`.
 */
export const readRack = (json: unknown): Rack => rackAnswer(json, 'rack')

/**
 * `GET /v1/prices`.
 * @throws AppError `answer_malformed`.
 */
export const readPrices = (json: unknown): readonly ModelPrice[] => pricesAnswer(json, 'prices').models
