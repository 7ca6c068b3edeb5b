import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from '../order/payFromKey.ts'
import { type Mined, mine, purseCall } from '../purse/purseCall.ts'

/** How an order of a purse is kept alive without its owner. */
export interface Standing {
  /** The most that it may cost per month of 30 days, in wei. */
  maxMonthWei: bigint
  /** The most that whoever carries out a renewal is paid for its gas, in wei. It is 0 when an order can first be renewed, and grows. */
  maxTipWei: bigint
  /** Unix seconds. */
  until: number
  /** Hours of each extension. */
  stepHours: number
}

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
  standing: Standing | undefined,
  options: PayOptions = {},
): Promise<Mined> {
  const { maxMonthWei = 0n, maxTipWei = 0n, until = 0, stepHours = 0 } = standing ?? {}
  const argument = { maxRate: maxMonthWei, maxTip: maxTipWei, until, step: stepHours }
  return mine(owner, purseCall(purse, 'keep', [orderId, argument]), options)
}
