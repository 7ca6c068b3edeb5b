import { accruedWei, PENALTY_SECONDS, type Provider } from '@rackfair/core'

export interface PledgeCover {
  pledgeWei: bigint
  /** What stands behind live orders, and what is left for further ones. */
  lockedWei: bigint
  freeWei: bigint
  /** What one day of the nodes that are not sold costs: what selling all of them locks. */
  dayOfIdleWei: bigint
}

/** Every order locks one day of its price: how far what is free of a pledge reaches. */
export function pledgeCover({
  pledgeWei,
  pledgeLockedWei: lockedWei,
  nodes,
}: Pick<Provider, 'pledgeWei' | 'pledgeLockedWei' | 'nodes'>): PledgeCover {
  const idle = nodes.filter((node) => node.exist && !node.sold)
  const dayOfIdleWei = idle.reduce((sum, node) => sum + accruedWei(node.ratePerMonthWei, PENALTY_SECONDS), 0n)
  return { pledgeWei, lockedWei, freeWei: pledgeWei - lockedWei, dayOfIdleWei }
}
