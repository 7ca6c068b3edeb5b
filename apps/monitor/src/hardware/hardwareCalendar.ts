import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import type { FleetNode, FleetProvider } from '../readFleet.ts'

const DAY_SECONDS = 86_400
/** Epochs after which a node is retried that gave no answer about a revision or an order. */
const RETRIED_AFTER = [0, 1, 3, 12]

/**
 * Decides when a provider is tested: once a day, at an epoch derived from its address, so that all monitors test it at the same time; and
 * when one of its nodes is new, was revised, or has a new order. All of its nodes are then tested together, so that one machine cannot pass
 * for two.
 */
export function createHardwareCalendar(
  calendar: Calendar,
  isKnown: (provider: LowerCaseAddress, nodeId: bigint, rev: number, orderId: bigint) => boolean,
) {
  const seenSince = new Map<string, number>()
  const epochsPerDay = Math.ceil(DAY_SECONDS / calendar.epochSeconds)
  return {
    isDue(provider: FleetProvider<FleetNode>, epoch: number): boolean {
      let isNew = false
      for (const { id, rev, orderId } of provider.nodes) {
        const key = `${provider.address} ${id} ${rev} ${orderId}`
        if (isKnown(provider.address, id, rev, orderId)) {
          seenSince.delete(key)
          continue
        }
        const since = seenSince.get(key) ?? epoch
        seenSince.set(key, since)
        if (RETRIED_AFTER.includes(epoch - since)) isNew = true
      }
      return isNew || epoch % epochsPerDay === Number(BigInt(provider.address) % BigInt(epochsPerDay))
    },
    /** Forgets nodes that no longer exist. */
    keepOnly(fleet: readonly FleetProvider<FleetNode>[]): void {
      const present = new Set(
        fleet.flatMap(({ address, nodes }) => nodes.map(({ id, rev, orderId }) => `${address} ${id} ${rev} ${orderId}`)),
      )
      for (const key of seenSince.keys()) if (!present.has(key)) seenSince.delete(key)
    },
  }
}
