import type { LowerCaseAddress } from '../address.ts'
import { MIN_PLEDGE_WEI } from '../limits.ts'
import { promisedWei } from '../order/money.ts'
import type { MarketNode } from './node.ts'

/** Why a machine cannot be bought. */
export type NodeBlocker =
  | { code: 'own_node' }
  | { code: 'node_gone' }
  | { code: 'sold'; until: number | null }
  | { code: 'switched_off' }
  | { code: 'offline'; since: number | null }
  | { code: 'pledge_too_low' }
  | { code: 'pledge_locked' }

export type NodeState = Pick<
  MarketNode,
  | 'provider'
  | 'exist'
  | 'sold'
  | 'soldUntil'
  | 'switchedOn'
  | 'online'
  | 'offlineSince'
  | 'pledgeWei'
  | 'pledgeLockedWei'
  | 'ratePerMonthWei'
>

/**
 * `now` in unix seconds: the purchase itself releases an order past its end, so such an order is no blocker. `penalty` is what the owner of
 * the Market has set, in seconds: the price of that time has to be covered by the provider's free pledge. Undefined while it cannot be read:
 * then that is left to the Market.
 */
export function nodeBlocker(
  node: NodeState,
  user: LowerCaseAddress | undefined,
  now: number,
  penalty: number | undefined,
): NodeBlocker | undefined {
  if (!node.exist) return { code: 'node_gone' }
  if (user === node.provider) return { code: 'own_node' }
  if (node.sold && (node.soldUntil === null || node.soldUntil > now)) return { code: 'sold', until: node.soldUntil }
  if (!node.switchedOn) return { code: 'switched_off' }
  if (!node.online) return { code: 'offline', since: node.offlineSince }
  if (node.pledgeWei < MIN_PLEDGE_WEI) return { code: 'pledge_too_low' }
  if (penalty === undefined) return undefined
  const neededWei = promisedWei({ ratePerMonthWei: node.ratePerMonthWei, penalty })
  return node.pledgeWei - node.pledgeLockedWei < neededWei ? { code: 'pledge_locked' } : undefined
}
