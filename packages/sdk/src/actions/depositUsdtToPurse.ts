import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { type Mined, mine, purseCall } from '../purse/purseCall.ts'

/**
 * Changes the USDT that was sent to a purse into Credit of that purse. Anybody can: it stays the owner's.
 *
 * @throws AppError `AmountTooSmall` if there is none, `transaction_timeout`, `rpc_unreachable`.
 * @example await depositUsdtToPurse(renter, purse)
 */
export function depositUsdtToPurse(renter: Payer, purse: Address, options: PayOptions = {}): Promise<Mined> {
  return mine(renter, purseCall(purse, 'depositUsdt', []), options)
}
