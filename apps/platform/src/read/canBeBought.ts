import { lowerCaseAddress, nodeBlocker } from '@rackfair/core'
import type { NodeWire } from '@rackfair/core/wire'

/** Whether somebody can buy a node now. One that an order holds cannot be, even if that has ended: the next purchase releases it. */
export function canBeBought(node: NodeWire): boolean {
  const state = {
    ...node,
    provider: lowerCaseAddress(node.cp),
    pledgeWei: BigInt(node.pledge),
    pledgeLockedWei: BigInt(node.pledgeLocked),
    ratePerMonthWei: BigInt(node.ratePerMonth),
  }
  return !node.sold && nodeBlocker(state, undefined, 0, node.penalty) === undefined
}
