import { accruedWei, PENALTY_SECONDS } from '@rackfair/core'
import type { NodeWire, ProviderWire } from '@rackfair/core/wire'

export interface PledgeCover {
  pledgeWei: bigint
  /** What stands behind live orders, and what is left for further ones. */
  lockedWei: bigint
  freeWei: bigint
  /** What one day of the nodes that are not sold costs: what selling all of them locks. */
  dayOfIdleWei: bigint
}

/** Every order locks one day of its price: how far what is free of a pledge reaches. */
export function pledgeCover(provider: Pick<ProviderWire, 'pledge' | 'pledgeLocked'>, nodes: readonly NodeWire[]): PledgeCover {
  const [pledgeWei, lockedWei] = [BigInt(provider.pledge), BigInt(provider.pledgeLocked)]
  const idle = nodes.filter((node) => node.exist && !node.sold)
  const dayOfIdleWei = idle.reduce((sum, node) => sum + accruedWei(BigInt(node.ratePerMonth), BigInt(PENALTY_SECONDS)), 0n)
  return { pledgeWei, lockedWei, freeWei: pledgeWei - lockedWei, dayOfIdleWei }
}
