import type { LowerCaseAddress } from '../address.ts'
import type { MarketNode, OversoldPart } from '../node/node.ts'
import type { ProviderTakes } from '../node/takes.ts'

/** The resources of all listed nodes of a provider, or of the sold ones. */
export interface Capacity {
  nodes: number
  memoryGb: number
  diskGb: number
}

/** A provider with its nodes, as a domain value. Times in unix seconds, amounts in wei of Credit; texts are untrusted. */
export interface Provider {
  address: LowerCaseAddress
  /** As registered on the chain. */
  name: string
  /** The name for display, see `displayName`. */
  displayName: string
  ip: string
  domain: string
  port: number
  /** The key of its agent; absent until one is appointed. */
  operator?: LowerCaseAddress | undefined
  listed: Capacity
  sold: Capacity
  /** Its agent was heard from within three heartbeats. */
  online: boolean
  /** When the agent was last heard from, if it is offline; null while it is online, or if it never was. */
  offlineSince: number | null
  pledgeWei: bigint
  /** The part of the pledge locked behind live orders. */
  pledgeLockedWei: bigint
  ordersCompleted: number
  ordersRunning: number
  /** Orders that the provider cancelled while they ran. */
  ordersDropped: number
  /** Orders sold and never started. */
  ordersMissed: number
  /** Resources of which its nodes together offer more than its machine has; absent if that is unknown. */
  oversold?: readonly OversoldPart[] | undefined
  /** The hardware is simulated, as declared by the provider. */
  sample: boolean
  /** Absent if its agent has not said. */
  takes?: ProviderTakes | undefined
  /** Including removed ones: see `exist`. */
  nodes: readonly MarketNode[]
  block: number
}

/** Whether buyers can reach what an account has registered: without domain and ip it does not count as a provider. */
export function isRegistered(provider: { ip: string; domain: string }): boolean {
  return provider.ip !== '' || provider.domain !== ''
}
