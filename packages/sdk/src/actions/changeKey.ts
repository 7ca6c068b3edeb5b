import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { changeKeyCall } from '../purse/calls.ts'
import { type Mined, mine } from '../purse/purseCall.ts'
import type { KeyLimits } from '../purse/rights.ts'

/**
 * Replaces the limits of a key. What it has spent stays spent.
 *
 * @throws AppError `KeyNotValid` if it has no grant, `NotPurseOwner`, `GrantMalformed`, `transaction_timeout`, `rpc_unreachable`.
 * @example await changeKey(owner, purse, key.address, { totalWei: 10n * ONE_CREDIT_WEI, validUntil: 1_800_000_000 })
 */
export function changeKey(
  owner: Payer,
  purse: Address,
  key: Address,
  limits: KeyLimits,
  options: PayOptions = {},
): Promise<Mined> {
  return mine(owner, changeKeyCall(purse, key, limits), options)
}
