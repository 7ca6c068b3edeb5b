import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { depositToPurseCall } from '../purse/calls.ts'
import { type Mined, mine } from '../purse/purseCall.ts'

/**
 * Moves Credit of the renter's account into a purse, which need not exist yet. A deposit of USDT at the gate for the purse's address does
 * the same: see `gateDepositCalls`.
 *
 * @throws AppError `ERC20InsufficientBalance`, `user_rejected`, `transaction_timeout`, `rpc_unreachable`.
 * @example await depositToPurse(renter, purse, 5n * ONE_CREDIT_WEI)
 */
export function depositToPurse(renter: Payer, purse: Address, wei: bigint, options: PayOptions = {}): Promise<Mined> {
  return mine(renter, depositToPurseCall(renter.addresses, purse, wei), options)
}
