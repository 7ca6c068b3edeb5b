import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { renewOrderCall } from '../purse/calls.ts'
import { type Mined, mine } from '../purse/purseCall.ts'

/**
 * Renews an order that the owner of its purse keeps alive. Anyone may send it near the order's end, and is paid the tip of that moment.
 *
 * @throws AppError `NothingToRenew`, `TooEarlyToRenew`, `PriceAboveLimit`, `ERC20InsufficientBalance` and errors of an extension.
 * @example await renewOrder(renter, purse, 12n)
 */
export function renewOrder(renter: Payer, purse: Address, orderId: bigint, options: PayOptions = {}): Promise<Mined> {
  return mine(renter, renewOrderCall(purse, orderId), options)
}
