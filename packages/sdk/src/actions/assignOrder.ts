import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { type Mined, mine, purseCall } from '../purse/purseCall.ts'

/**
 * Lets a key act for an order that the owner paid with the purse, or a key that was revoked since, as its rights say.
 *
 * @throws AppError `PaidByKey` if a key that is still granted paid it, `KeyNotValid`, `NotPurseOwner`, `transaction_timeout`,
 * `rpc_unreachable`.
 * @example await assignOrder(owner, purse, 12n, key.address)
 */
export function assignOrder(
  owner: Payer,
  purse: Address,
  orderId: bigint,
  key: Address,
  options: PayOptions = {},
): Promise<Mined> {
  return mine(owner, purseCall(purse, 'assign', [orderId, key]), options)
}
