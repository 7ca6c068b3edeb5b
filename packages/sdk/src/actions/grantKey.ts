import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { grantKeyCall } from '../purse/calls.ts'
import { type Mined, mine } from '../purse/purseCall.ts'
import type { KeyLimits } from '../purse/rights.ts'

/**
 * Lets a key spend from the owner's purse, within limits that the contract enforces: only on orders of this purse, whose refunds come back
 * to it. The key itself needs nothing but gas.
 *
 * @throws AppError `KeyInUse` if it has a grant, `NotPurseOwner`, `GrantMalformed`, `transaction_timeout`, `rpc_unreachable`.
 * @example await grantKey(owner, purse, key.address, { totalWei: 5n * ONE_CREDIT_WEI, validUntil: 1_800_000_000 })
 */
export function grantKey(
  owner: Payer,
  purse: Address,
  key: Address,
  limits: KeyLimits,
  options: PayOptions = {},
): Promise<Mined> {
  return mine(owner, grantKeyCall(purse, key, limits), options)
}
