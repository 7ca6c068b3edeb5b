import { type Head, standingOf } from '../chain/read/chainView.ts'
import { reasonOf } from '../foundation/reasonOf.ts'
import type { ObservedState } from './ObservedState.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

/** Extends what its purse keeps alive. Anybody may, and nobody gains by it as this provider does. */
export function createRenewer({ renewals, outbox, log }: OrderManagerOptions, known: ObservedState) {
  const renew = async (head: Head): Promise<void> => {
    for (const node of known.nodes) {
      const order = node.orderId === 0n ? undefined : known.orders.get(node.orderId)
      if (!order || !node.online || standingOf(order, head.timestamp) !== 'active') continue
      if (!(await renewals.isDue(order, head.timestamp))) continue
      const end = Number(order.activateTime) + Number(order.duration)
      outbox.enqueue({ kind: 'renew', orderId: order.id, purse: order.user, end })
    }
  }
  return (head: Head): Promise<void> =>
    renew(head).catch((error: unknown) => log.warn('what is kept alive is not known now', { reason: reasonOf(error) }))
}
