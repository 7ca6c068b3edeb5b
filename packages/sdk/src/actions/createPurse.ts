import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { createPurseCall } from '../purse/calls.ts'
import { type Mined, mine } from '../purse/purseCall.ts'
import { purseOf } from './purseOf.ts'

/**
 * Makes the purse of the renter's account, unless it exists. Credit that was sent to its address before is in it.
 *
 * @throws AppError `not_deployed_on_chain` where the market has none, `insufficient_gas`, `transaction_timeout`, `rpc_unreachable`.
 * @example const { purse } = await createPurse(renter)
 */
export async function createPurse(
  renter: Payer,
  options: PayOptions = {},
): Promise<{ purse: Address; mined: Mined | undefined }> {
  const owner = renter.wallet.account.address
  const { purse, exists, factory } = await purseOf(renter, owner)
  if (exists) return { purse, mined: undefined }
  return { purse, mined: await mine(renter, createPurseCall(factory, owner), options) }
}
