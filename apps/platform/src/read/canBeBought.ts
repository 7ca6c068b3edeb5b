import type { NodeWire } from '@rackfair/protocol/nodes'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { nodeBlocker } from '@rackfair/rules/node/blocker'

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
