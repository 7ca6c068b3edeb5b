import { faultPoint } from '../../foundation/faultPoint.ts'
import type { Application } from '../../presets/loadCatalog.ts'
import type { ObservedState } from '../ObservedState.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'

export type TellDeployed = ReturnType<typeof createTellDeployed>

/** Starts the buyer's time, if it is not running yet, and records on chain what runs, in one transaction, so that nothing runs unmarked. */
export function createTellDeployed(
  { outbox }: Pick<OrderManagerOptions, 'outbox'>,
  known: ObservedState,
  flushOutbox: () => void,
) {
  return (orderId: bigint, { wire }: Application): void => {
    // Read again: a transaction may have been mined since this reconciliation began.
    const order = known.orders.get(orderId)
    if (!order) return
    const node = known.nodes.find((one) => one.id === order.nodeId)
    const marked = node !== undefined && (node.orderId !== orderId || node.avail)
    if (order.activateTime > 0 && marked && outbox.told(orderId) === wire.name) return
    outbox.enqueue({ kind: 'activateWithApp', orderId, market: order.market, app: wire.name })
    faultPoint('activating')
    flushOutbox()
  }
}
