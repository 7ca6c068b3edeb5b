import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { revokeKeyCall } from '../purse/calls.ts'
import { type Mined, mine } from '../purse/purseCall.ts'

/**
 * Takes every right of a key, from the next block on. Its orders stay the purse's: the owner ends them, or assigns them to another key.
 *
 * @throws AppError `KeyNotValid` if it has no grant, `NotPurseOwner`, `transaction_timeout`, `rpc_unreachable`.
 * @example await revokeKey(owner, purse, key.address)
 */
export function revokeKey(owner: Payer, purse: Address, key: Address, options: PayOptions = {}): Promise<Mined> {
  return mine(owner, revokeKeyCall(purse, key), options)
}
