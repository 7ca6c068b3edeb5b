import type { LowerCaseAddress } from '../address.ts'
import type { MarketNode, OversoldPart } from '../node/node.ts'
import type { ProviderTakes } from '../node/takes.ts'

/** Of all listed nodes of a provider, or of those that are sold. */
export interface Capacity {
  nodes: number
  memoryGb: number
  diskGb: number
}

/** A provider with its nodes, as programs know it. Times in unix seconds, amounts in wei of Credit; texts are a stranger's. */
export interface Provider {
  address: LowerCaseAddress
  /** As it stands on the chain. */
  name: string
  /** The name as it is shown, see `displayName`. */
  displayName: string
  ip: string
  domain: string
  port: number
  /** The key of its agent; absent before one is appointed. */
  operator?: LowerCaseAddress | undefined
  listed: Capacity
  sold: Capacity
  /** Its agent was heard within three heartbeats. */
  online: boolean
  /** When the agent was heard last, once it is not any more; null while it is, and if it never was. */
  offlineSince: number | null
  pledgeWei: bigint
  /** What of the pledge is locked behind live orders. */
  pledgeLockedWei: bigint
  ordersCompleted: number
  ordersRunning: number
  /** Cancelled by the provider while they ran. */
  ordersDropped: number
  /** Sold and never started. */
  ordersMissed: number
  /** Parts of which its nodes together offer more than its computer has; absent where that is not known. */
  oversold?: readonly OversoldPart[] | undefined
  /** The hardware is only pretended, by the provider's own word. */
  sample: boolean
  /** Absent where its agent has not said. */
  takes?: ProviderTakes | undefined
  /** Those that were removed too: see `exist`. */
  nodes: readonly MarketNode[]
  block: number
}
