import { MIN_PLEDGE_WEI } from '../limits.ts'
import type { NodeWire } from '../wire/node.ts'

/** Why a machine cannot be bought. */
export type NodeBlocker =
  | { code: 'own_node' }
  | { code: 'node_gone' }
  | { code: 'sold'; until: number | null }
  | { code: 'switched_off' }
  | { code: 'offline'; since: number | null }
  | { code: 'pledge_too_low' }

type NodeState = Pick<NodeWire, 'cp' | 'exist' | 'sold' | 'soldUntil' | 'switchedOn' | 'online' | 'offlineSince' | 'pledge'>

/** `now` in unix seconds: an order past its end is released by the purchase itself, so it does not stand in the way. */
export function nodeBlocker(node: NodeState, user: string | undefined, now: number): NodeBlocker | undefined {
  if (!node.exist) return { code: 'node_gone' }
  if (user !== undefined && user.toLowerCase() === node.cp.toLowerCase()) return { code: 'own_node' }
  if (node.sold && (node.soldUntil === null || node.soldUntil > now)) return { code: 'sold', until: node.soldUntil }
  if (!node.switchedOn) return { code: 'switched_off' }
  if (!node.online) return { code: 'offline', since: node.offlineSince }
  return BigInt(node.pledge) < MIN_PLEDGE_WEI ? { code: 'pledge_too_low' } : undefined
}
