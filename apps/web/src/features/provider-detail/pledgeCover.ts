import { promisedWei } from '@rackfair/rules/order/money'
import type { Provider } from '@rackfair/rules/provider/provider'

export interface PledgeCover {
  pledgeWei: bigint
  /** What stands behind live orders, and what is left for further ones. */
  lockedWei: bigint
  freeWei: bigint
  /** What selling all nodes that are not sold would lock; undefined while the Market has not said how much that is. */
  idleWei: bigint | undefined
}

/** Every order locks the price of some time, which the owner of the Market sets: how far what is free of a pledge reaches. */
export function pledgeCover({
  pledgeWei,
  pledgeLockedWei: lockedWei,
  nodes,
}: Pick<Provider, 'pledgeWei' | 'pledgeLockedWei' | 'nodes'>): PledgeCover {
  const idle = nodes.filter((node) => node.exist && !node.sold)
  const idleWei = idle.reduce<bigint | undefined>(
    (sum, { ratePerMonthWei, penalty }) =>
      sum === undefined || penalty === undefined ? undefined : sum + promisedWei({ ratePerMonthWei, penalty }),
    0n,
  )
  return { pledgeWei, lockedWei, freeWei: pledgeWei - lockedWei, idleWei }
}
