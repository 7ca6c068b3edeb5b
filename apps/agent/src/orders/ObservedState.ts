import type { ChainNode, ChainOrder, Head } from '../chain/read/chainView.ts'
import type { AgentDb } from '../db/openAgentDb.ts'
import type { Upstream, WorkloadState } from '../runtime/Runtime.ts'

/** The agent's view of chain and engine between two observations. */
export interface ObservedState {
  readonly orders: Map<bigint, ChainOrder>
  nodes: ChainNode[]
  /** The latest block that this process has read. */
  head: Head | undefined
  /**
   * Unix seconds that decide whether an order may be restarted: the chain's clock, or, while the chain is silent, this machine's if later.
   */
  time: number
  /** Orders and nodes re-read individually during a full read: these values are newer than the full read's. */
  readonly refreshed: { readonly orders: Set<bigint>; readonly nodes: Set<bigint> }
  /** Where the gateway reaches a running application. */
  readonly upstreams: Map<bigint, Upstream>
  /** Of orders with several services: where each of those that run is, by name. */
  readonly services: Map<bigint, ReadonlyMap<string, string>>
  /** Deployment and image of an order's container; running if the order has an upstream. */
  readonly images: Map<bigint, Pick<WorkloadState, 'deploymentId' | 'imageId'>>
  /** Consecutive failures; `sinceMs` and `notBeforeMs` are on the monotonic clock (`performance.now`). */
  readonly failures: Map<bigint, { count: number; sinceMs: number; notBeforeMs: number }>
  /** Consecutive probes that a running application did not answer, and the time of the first, on the same clock. */
  readonly silence: Map<bigint, { probes: number; sinceMs: number }>
  /** How long an order's applications have run without ever answering. */
  readonly unansweredMs: Map<bigint, number>
}

/** Restores what the chain said last, even before this process started; the rest is observed at the first reconciliation. */
export function recallOrders(state: AgentDb): ObservedState {
  const seen = state.snapshots()
  return {
    orders: new Map(seen.map(({ order }) => [order.id, order])),
    nodes: [...new Map(seen.map(({ node }) => [node.id, node])).values()],
    head: undefined,
    time: 0,
    refreshed: { orders: new Set(), nodes: new Set() },
    upstreams: new Map(),
    services: new Map(),
    images: new Map(),
    failures: new Map(),
    silence: new Map(),
    unansweredMs: new Map(),
  }
}
