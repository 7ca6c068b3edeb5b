import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { keepOrderCall, type PurseStanding } from '../purse/calls.ts'
import { type Mined, mine } from '../purse/purseCall.ts'

/**
 * Keeps an order of a purse alive: anybody may renew it near its end. `undefined` ends that.
 *
 * @throws AppError `NotPurseOwner`, `transaction_timeout`, `rpc_unreachable`.
 * @example await keepOrder(owner, purse, 12n, { maxMonthWei: order.ratePerMonthWei, maxTipWei: 0n, until: 1_800_000_000, stepHours: 720 })
 */
export function keepOrder(
  owner: Payer,
  purse: Address,
  orderId: bigint,
  standing: PurseStanding | undefined,
  options: PayOptions = {},
): Promise<Mined> {
  return mine(owner, keepOrderCall(purse, orderId, standing), options)
}
