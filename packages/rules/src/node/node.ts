import type { LowerCaseAddress } from '../address.ts'
import type { Resources, UnitPrices } from '../prices/pricing.ts'
import type { Take } from './takes.ts'

/** A resource of which a provider's nodes together can offer more than its machine has. */
export type OversoldPart = 'cpu' | 'memory' | 'storage' | 'gpu'

/**
 * What a node's reliability is computed from. `failures` and `observedDays` are the arguments of `uninterruptedChance`, with the prior
 * included; `seenDays` is what was really observed, `countedDays` the part of it that counts.
 */
export interface NodeReliability {
  failures: number
  observedDays: number
  seenDays: number
  countedDays: number
  outages: number
  brokenOrders: number
  /** The last 90 days as `stripOf` writes them. */
  strip: string
  /** The last day of the strip, that of the newest block: days since 1970-01-01. */
  day: number
}

/** What monitors agree on for a node's hardware. */
export interface NodeVerification {
  outcome: 'passed' | 'failed'
  hardwareClass: number
  /** Whether it passed and is at most eight days old. */
  verified: boolean
  /** Unix seconds of the newest test that enough monitors took part in. */
  time: number
  /** Monitors that agree, and how many have to. */
  agreed: number
  needed: number
  memoryBytes: number
  cores: number
  /** GPUs whose memory was measured; 0 if none was. */
  gpus: number
}

/** The parts of a node that its display texts are made from. `memGb` and `diskGb` are whole gigabytes. */
export interface NodeFacts {
  id: number
  cpuModel: string
  nCPU: number
  core: number
  gpuModel: string
  nGPU: number
  nMEM: number
  nDISK: number
}

/** A node of the market as a domain value. Times in unix seconds, amounts in wei of Credit; texts are untrusted. */
export interface MarketNode {
  provider: LowerCaseAddress
  nodeId: number
  /** Name of the provider, a hyphen, and the id. */
  name: string
  providerName: string
  /** Increases with every change of the node. */
  revision: number
  /** `count` processors with `cores` each. */
  cpu: { model: string; count: number; cores: number }
  gpu: { model: string; count: number }
  memoryGb: number
  diskGb: number
  prices: UnitPrices
  /** The shortest time for which it is sold, in seconds. */
  minTerm: number
  /** Price of the whole node per month. */
  ratePerMonthWei: bigint
  exist: boolean
  sold: boolean
  /** The order that holds it; 0 for none. */
  orderId: bigint
  /** When that order ends; null while idle or not activated. */
  soldUntil: number | null
  /** An application of that order is marked deployed on chain. */
  deployed: boolean
  /** Switched on, and its agent was heard from within three heartbeats. */
  online: boolean
  /** The provider's own switch on chain. */
  switchedOn: boolean
  /** When the agent was last heard from, if it is offline; null while it is online, or if it never was. */
  offlineSince: number | null
  /** The provider's pledge, and the part of it locked behind live orders. */
  pledgeWei: bigint
  pledgeLockedWei: bigint
  /** The time whose price the next order locks of the pledge, in seconds, as the owner of the Market set it; absent while unknown. */
  penalty?: number | undefined
  /** Resources of which the provider's nodes together offer more than its machine has; absent if that is unknown. */
  oversold?: readonly OversoldPart[] | undefined
  /** The hardware is simulated, as declared by the provider. */
  sample: boolean
  /** The country where its provider says that its machine stands, by ISO 3166-1; absent if it has not said. */
  region?: string | undefined
  /** The version of the NVIDIA driver of its machine, as its agent read it; absent without a GPU, or if no agent has said. */
  driver?: string | undefined
  /** What its provider takes; absent if its agent has not said. */
  takes?: readonly Take[] | undefined
  /** Applications of the catalogue whose image its provider has, by name; absent if its agent has not said. */
  ready?: readonly string[] | undefined
  /** What monitors observed of it; absent if nothing was ever observed and no order broken. */
  reliability?: NodeReliability | undefined
  /** What monitors agree on for its hardware; absent if they have not tested this revision within 30 days. */
  verification?: NodeVerification | undefined
}

/** A node as the list shows it. The unit is one GPU, or one processor if there is no GPU, per month. */
export interface NodeOffer extends MarketNode {
  unitRateWei: bigint
  /** Median over all nodes with the same model; null with fewer than two. */
  medianUnitRateWei: bigint | null
}

/** All resources of a node, which is what an order of it takes. */
export function resourcesOf(node: Pick<MarketNode, 'cpu' | 'gpu' | 'memoryGb' | 'diskGb'>): Resources {
  return { nCPU: node.cpu.count, nGPU: node.gpu.count, nMEM: node.memoryGb, nDISK: node.diskGb }
}
