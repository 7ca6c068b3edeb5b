import { NEEDED_PARTS } from '@rackfair/rules/node/lacks'
import { NODE_SORTS } from '@rackfair/rules/node/sort'
import { CONTAINER_RUNTIMES, TAKES } from '@rackfair/rules/node/takes'
import { PRESET_NAMES } from '@rackfair/rules/presets'
import { z } from 'zod'
import { addressString, count, idString, unixSeconds, weiString } from './scalars.ts'
import { reliabilityWire } from './uptime.ts'
import { verificationWire } from './verification.ts'

/** `priceMon` is wei per unit and month, `priceSec` the same per second rounded down, for display only. */
export const resourceWire = z.object({ priceMon: weiString, priceSec: weiString, num: count })

/** Resources of which a provider's nodes together offer more than its machine has, as its agent measured it. */
export const oversoldParts = z.array(z.enum(['cpu', 'memory', 'storage', 'gpu']))
export type OversoldPart = z.infer<typeof oversoldParts>[number]

/** What a provider takes, as its agent announced when it connected. */
export const providerTakes = z.object({
  /** Null if it takes only applications of the catalogue. */
  ownImages: z
    .object({
      /** Maximum size of an image in GB, compressed and unpacked. */
      maxGb: count.max(1000),
      /** The only registries that it pulls from; absent if it pulls from any on the internet. */
      registries: z.array(z.string().max(253)).max(100).optional(),
    })
    .nullable(),
  /** Whether applications can have TCP and UDP ports. */
  ports: z.boolean(),
  /** Whether orders can be reached by SSH at a port; through their workspace they always can. */
  ssh: z.boolean(),
  /** Whether an application can be restricted to its order's owner. */
  protected: z.boolean(),
  /** The OCI runtimes available. */
  runtimes: z.array(z.enum(CONTAINER_RUNTIMES)).max(3),
  /** Applications of the catalogue whose image is present, by name; absent if the agent has not said. */
  ready: z.array(z.string().max(60)).max(100).optional(),
})
export type ProviderTakes = z.infer<typeof providerTakes>

/** A node under the specification's field names. `cpu.num` counts processors, `mem.num` and `disk.num` GB. */
export const nodeWire = z.object({
  id: count,
  cp: addressString,
  /** Provider name, a hyphen, and the id. */
  nodename: z.string(),
  cpu: resourceWire.extend({ model: z.string(), core: count }),
  gpu: resourceWire.extend({ model: z.string() }),
  mem: resourceWire,
  disk: resourceWire,
  rev: count,
  exist: z.boolean(),
  sold: z.boolean(),
  avail: z.boolean(),
  /** The provider's switch is on and its agent was heard from within three heartbeats. */
  online: z.boolean(),
  /** The provider's own switch on chain. */
  switchedOn: z.boolean(),
  /** When the agent was last heard from, if it is offline; null while it is online, or if it never was. */
  offlineSince: unixSeconds.nullable(),
  /** The order that holds the node, `0` for none. */
  orderId: idString,
  /** When the order that holds the node ends; null while idle or not activated. */
  soldUntil: unixSeconds.nullable(),
  /** All resources for one month, wei. */
  ratePerMonth: weiString,
  /** The provider's pledge, and the part of it locked behind its live orders, in wei. */
  pledge: weiString,
  pledgeLocked: weiString,
  /**
   * The time whose price the next order locks of the pledge, in seconds, as the owner of the Market set it. Absent until it could be read.
   */
  penalty: count.optional(),
  providerName: z.string(),
  /** Resources that the node has none of, so that hardly any application runs on it. Absent if it lacks none. */
  lacks: z.array(z.enum(NEEDED_PARTS)).optional(),
  /** Resources that its provider oversells, over all its nodes. Absent if its machine has enough of all, or if no agent has said. */
  oversold: oversoldParts.optional(),
  /** Set if its provider's agent declares the hardware simulated. */
  sample: z.literal(true).optional(),
  /** What its provider takes, see `providerTakes`. Absent if its agent has not said. */
  takes: z.array(z.enum(TAKES)).optional(),
  /** Applications of the catalogue whose image its provider has, by name. Absent if its agent has not said. */
  ready: z.array(z.string()).optional(),
  /** What monitors observed of it. Absent if nothing was ever observed and no order broken. */
  reliability: reliabilityWire.optional(),
  /** What monitors agree on for its hardware. Absent if they have not tested this revision within 30 days. */
  verification: verificationWire.optional(),
})
export type NodeWire = z.infer<typeof nodeWire>

/** Why a node cannot be bought; null if it can. */
export const notBuyableReason = z.enum(['sold', 'offline', 'switched_off', 'pledge_too_low', 'pledge_locked', 'own_node'])
export type NotBuyableReason = z.infer<typeof notBuyableReason>

/**
 * Query of `GET /v1/nodes`. `text` is a sentence as people type it, which `readWish` takes apart; every other word that any node has must
 * occur in the name, the GPU or the CPU. Models may be spelled as drivers, schedulers and other markets do. Lists are as `encodeList` writes
 * them. Prices are whole or decimal USD per month.
 */
export const nodeSearchQuery = z.object({
  text: z.string().max(200).optional(),
  gpu: z.string().max(1000).optional(),
  cpu: z.string().max(1000).optional(),
  provider: addressString.optional(),
  minMemory: z.coerce.number().int().min(0).max(1_048_576).optional(),
  minDisk: z.coerce.number().int().min(0).max(1_048_576).optional(),
  minGpus: z.coerce.number().int().min(0).max(4096).optional(),
  /** Memory of one GPU in GB; a model of unknown memory does not match. */
  minVram: z.coerce.number().int().min(0).max(4096).optional(),
  /** Cores of all processors together. */
  minCores: z.coerce.number().int().min(0).max(1_048_576).optional(),
  minPledge: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,9})?$/)
    .optional(),
  minPrice: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,9})?$/)
    .optional(),
  maxPrice: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,9})?$/)
    .optional(),
  /** Values of `TAKES`, as `encodeList` writes a list: nodes that have all of them. */
  takes: z.string().max(100).optional(),
  /** An application of the catalogue: machines that meet its requirements, of providers that take it or have not said. */
  runs: z.enum(PRESET_NAMES).optional(),
  /** Percent: the probability of 30 days without an outage; a node without evidence has 25. */
  minReliability: z.coerce.number().min(0).max(100).optional(),
  /** Whether monitors verified its hardware in the last eight days. */
  verified: z.enum(['true']).optional(),
  idle: z.enum(['true', 'false']).optional(),
  online: z.enum(['true', 'false']).optional(),
  sort: z.enum(NODE_SORTS).optional(),
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})
export type NodeSearchQuery = z.infer<typeof nodeSearchQuery>

/**
 * Nodes of different sizes are compared per unit: a GPU, or a processor if there is no GPU. `unitRate` is the monthly total of the whole
 * node divided by its units, `medianUnitRate` the median of that over nodes with the same model; null with fewer than two.
 */
const unitRates = { unitRate: weiString, medianUnitRate: weiString.nullable() }
export const nodeListItem = nodeWire.extend(unitRates)
export type NodeListItem = z.infer<typeof nodeListItem>

/** Maximum number of models that an answer counts or prices, the most offered first: providers can invent names. */
export const MAX_MODELS_LISTED = 500

export const facetWire = z.object({ value: z.string(), count })
export const nodeSearchAnswer = z.object({
  items: z.array(nodeListItem),
  next: z.string().nullable(),
  total: count,
  facets: z.object({
    gpu: z.array(facetWire).max(MAX_MODELS_LISTED),
    cpu: z.array(facetWire).max(MAX_MODELS_LISTED),
    idle: count,
    online: count,
    verified: count,
  }),
  /** Monthly totals in wei of all nodes that match the query without its price range: at most 16 buckets of equal width. */
  histogram: z.array(z.object({ from: weiString, to: weiString, count })),
  /** What of `text` makes no difference: words that no node has, and for how long. */
  ignored: z.array(z.string()),
  block: count,
})
export type NodeSearchAnswer = z.infer<typeof nodeSearchAnswer>

/** `GET /v1/rack`: one short row per node for the home page, at most 1,000, idle and running first. */
export const rackSlot = z.object({
  cp: addressString,
  id: count,
  nodename: z.string(),
  gpu: z.string(),
  nGPU: count,
  cpu: z.string(),
  nCPU: count,
  mem: count,
  disk: count,
  state: z.enum(['idle', 'running', 'offline']),
  ratePerMonth: weiString,
  ...unitRates,
  /** As in the node itself. */
  sample: z.literal(true).optional(),
})
export const rackAnswer = z.object({ slots: z.array(rackSlot), total: count, block: count, blockTime: unixSeconds })
export type RackSlot = z.infer<typeof rackSlot>
export type RackAnswer = z.infer<typeof rackAnswer>

/** `GET /v1/prices`: the median per unit and month of each model on offer, for the price table and the provider's form. */
export const modelPriceWire = z.object({
  kind: z.enum(['gpu', 'cpu', 'mem', 'disk']),
  model: z.string(),
  nodes: count,
  minUnit: weiString,
  medianUnit: weiString,
  /** Cheapest monthly total of an idle node with this model; null if none is idle. */
  cheapestIdleRate: weiString.nullable(),
})
export const pricesAnswer = z.object({ models: z.array(modelPriceWire), block: count })
export type PricesAnswer = z.infer<typeof pricesAnswer>
