import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { withdrawFromPurseCall } from '../purse/calls.ts'
import { type Mined, mine } from '../purse/purseCall.ts'

/**
 * Sends Credit of a purse to its owner, or changes it into USDT on the way.
 *
 * @throws AppError `NotPurseOwner`, `ERC20InsufficientBalance`, `AmountTooSmall`, `transaction_timeout`, `rpc_unreachable`.
 * @example await withdrawFromPurse(owner, purse, 5n * ONE_CREDIT_WEI, { as: 'usdt' })
 */
export function withdrawFromPurse(
  owner: Payer,
  purse: Address,
  wei: bigint,
  { as = 'credit', ...options }: PayOptions & { as?: 'credit' | 'usdt' } = {},
): Promise<Mined> {
  return mine(owner, withdrawFromPurseCall(owner.addresses, purse, wei, as), options)
}
