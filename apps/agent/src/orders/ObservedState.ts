import type { ChainNode, ChainOrder, Head } from '../chain/chainView.ts'
import type { Upstream, WorkloadState } from '../runtime/Runtime.ts'
import type { AgentDb } from './openAgentDb.ts'

/** What the agent goes by between two observations of the chain and the engine. */
export interface ObservedState {
  readonly orders: Map<bigint, ChainOrder>
  nodes: ChainNode[]
  /** The latest block that this process has read. */
  head: Head | undefined
  /** Unix seconds by which an order may be started again: the chain's own, and while it is silent this machine's where those are later. */
  time: number
  /** Read again by themselves while everything was being read: what they are now is newer than what that brings. */
  readonly refreshed: { readonly orders: Set<bigint>; readonly nodes: Set<bigint> }
  /** Where the gateway reaches a running application. */
  readonly upstreams: Map<bigint, Upstream>
  /** What an order's container was made of; of one that has an upstream now, it runs. */
  readonly images: Map<bigint, Pick<WorkloadState, 'deploymentId' | 'imageId'>>
  /** Failures in a row; `sinceMs` and `notBeforeMs` are of the clock that only runs forward (`performance.now`). */
  readonly failures: Map<bigint, { count: number; sinceMs: number; notBeforeMs: number }>
  /** Probes in a row that a running application did not answer, and when the first of them was, by the same clock. */
  readonly silence: Map<bigint, { probes: number; sinceMs: number }>
  /** For how long applications of an order have run that never answered. */
  readonly unansweredMs: Map<bigint, number>
}

/** What the chain said last, also before this process began; the rest is observed again at the first reconciliation. */
export function recallOrders(state: AgentDb): ObservedState {
  const seen = state.snapshots()
  return {
    orders: new Map(seen.map(({ order }) => [order.id, order])),
    nodes: [...new Map(seen.map(({ node }) => [node.id, node])).values()],
    head: undefined,
    time: 0,
    refreshed: { orders: new Set(), nodes: new Set() },
    upstreams: new Map(),
    images: new Map(),
    failures: new Map(),
    silence: new Map(),
    unansweredMs: new Map(),
  }
}
