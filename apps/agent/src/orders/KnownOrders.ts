import type { ChainNode, ChainOrder, Head } from '../chain/chainView.ts'
import type { Upstream } from '../runtime/Runtime.ts'

/** What this process has read or seen of its orders. All of it can be read again, so none of it is stored. */
export interface KnownOrders {
  readonly orders: Map<bigint, ChainOrder>
  nodes: ChainNode[]
  head: Head | undefined
  /** Where the gateway reaches a running application. */
  readonly upstreams: Map<bigint, Upstream>
  /** Failures in a row; `notBeforeMs` is of the clock that only runs forward (`performance.now`). */
  readonly failures: Map<bigint, { count: number; notBeforeMs: number }>
  /** Looks in a row at which a running application did not answer, and when the first of them was, by the same clock. */
  readonly silence: Map<bigint, { looks: number; sinceMs: number }>
}

export const nothingKnown = (): KnownOrders => ({
  orders: new Map(),
  nodes: [],
  head: undefined,
  upstreams: new Map(),
  failures: new Map(),
  silence: new Map(),
})
