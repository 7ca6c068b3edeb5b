import type { LowerCaseAddress } from '../address.ts'
import type { Resources, UnitPrices } from '../pricing.ts'
import type { VerificationWire as NodeVerification } from '../wire/hardware.ts'
import type { OversoldPart } from '../wire/node.ts'
import type { ReliabilityWire as NodeReliability } from '../wire/uptime.ts'
import type { Take } from './takes.ts'

export type { NodeReliability, NodeVerification, OversoldPart }

/** The parts of a node from which its display texts are made. `memGb` and `diskGb` are whole gigabytes. */
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

/** A node of the market as programs know it. Times in unix seconds, amounts in wei of Credit; texts are a stranger's. */
export interface MarketNode {
  provider: LowerCaseAddress
  nodeId: number
  /** Name of the provider, a hyphen, and the id. */
  name: string
  providerName: string
  /** Grows with every change of the node. */
  revision: number
  /** `count` processors with `cores` each. */
  cpu: { model: string; count: number; cores: number }
  gpu: { model: string; count: number }
  memoryGb: number
  diskGb: number
  prices: UnitPrices
  /** For a month of all of it. */
  ratePerMonthWei: bigint
  exist: boolean
  sold: boolean
  /** The order that holds it; 0 for none. */
  orderId: bigint
  /** When that order ends; null while idle or not activated. */
  soldUntil: number | null
  /** An application of that order is marked deployed on chain. */
  deployed: boolean
  /** Switched on, and its agent was heard within three heartbeats. */
  online: boolean
  /** The provider's own switch on chain. */
  switchedOn: boolean
  /** When the agent was heard last, once it is not any more; null while it is, and if it never was. */
  offlineSince: number | null
  /** What the provider has pledged, and what of that is locked behind its live orders. */
  pledgeWei: bigint
  pledgeLockedWei: bigint
  /** Parts of which the provider's nodes together offer more than its computer has; absent where that is not known. */
  oversold?: readonly OversoldPart[] | undefined
  /** The hardware is only pretended, by the provider's own word. */
  sample: boolean
  /** What its provider takes; absent where its agent has not said. */
  takes?: readonly Take[] | undefined
  /** Applications of the catalogue whose image its provider has, by name; absent where its agent has not said. */
  ready?: readonly string[] | undefined
  /** What monitors saw of it; absent where nothing was ever observed and no order broken. */
  reliability?: NodeReliability | undefined
  /** What monitors agree on about its hardware; absent where they did not test this revision within 30 days. */
  verification?: NodeVerification | undefined
}

/** A node as the list shows it. A unit is a GPU, or a processor where there is none, for a month. */
export interface NodeOffer extends MarketNode {
  unitRateWei: bigint
  /** Of all nodes with the same model; null with fewer than two. */
  medianUnitRateWei: bigint | null
}

/** All that a node has, which is what an order of it takes. */
export function resourcesOf(node: Pick<MarketNode, 'cpu' | 'gpu' | 'memoryGb' | 'diskGb'>): Resources {
  return { nCPU: node.cpu.count, nGPU: node.gpu.count, nMEM: node.memoryGb, nDISK: node.diskGb }
}
