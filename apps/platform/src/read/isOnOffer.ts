import type { NodeWire } from '@rackfair/protocol/nodes'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { checkoutBlocker } from '@rackfair/rules/order/checkout'

/**
 * Whether a node is on offer, and counts in the prices of its kind: anybody could buy it now. One that an order holds is not, even if that
 * has ended: the next purchase releases it.
 */
export function isOnOffer(node: NodeWire): boolean {
  const state = {
    ...node,
    provider: lowerCaseAddress(node.cp),
    pledgeWei: BigInt(node.pledge),
    pledgeLockedWei: BigInt(node.pledgeLocked),
    ratePerMonthWei: BigInt(node.ratePerMonth),
  }
  return (
    !node.sold && checkoutBlocker({ machine: state }, { address: undefined }, { now: 0, penalty: node.penalty }) === undefined
  )
}
