import { marketAbi } from '@rackfair/contracts'
import type { CancelQuote } from '@rackfair/core'
import { type Hash, parseEventLogs } from 'viem'
import { contractCall } from '../chain/contractCall.ts'
import { marketOf } from '../chain/readAddresses.ts'
import { sendCall } from '../chain/sendCall.ts'
import { quoteCancel } from '../chain/views.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from './payOffer.ts'

export interface Cancelled {
  orderId: bigint
  /** Wei of Credit that left escrow for the buyer. */
  refundedWei: bigint
  /** Wei of Credit that the provider's pledge paid the buyer on top. */
  compensatedWei: bigint
  hash: Hash
  block: bigint
}

/**
 * What a cancel would bring back now, in wei, as the contract computes it.
 * @throws AppError with the contract's error, `rpc_unreachable`.
 * @example const { toUser } = await previewCancel(renter, 12n)
 */
export function previewCancel(renter: Pick<Payer, 'client' | 'addresses'>, orderId: bigint): Promise<CancelQuote> {
  return quoteCancel(renter.client, renter.addresses, orderId, false)
}

/**
 * Closes an order of one's own. What was not used comes back at once, and the machine is cleaned.
 *
 * @throws AppError `WrongStatus` where it is closed already, `NotUser`, `transaction_timeout`, `rpc_unreachable`.
 * @example const { refundedWei } = await cancelOrder(renter, 12n)
 */
export function cancelOrder(renter: Payer, orderId: bigint, options: PayOptions = {}): Promise<Cancelled> {
  return close(renter, orderId, 'userCancel', options)
}

/**
 * Closes anybody's order whose machine was away for 24 hours without a break, as of the first second of it: its buyer gets the rest and the penalty out
 * of the provider's pledge. Anyone may send it; whoever does pays gas and gets nothing.
 *
 * @throws AppError `NotDownForADay` where the final reports do not say so, `WrongStatus` where it is closed already, `transaction_timeout`, `rpc_unreachable`.
 * @example const { refundedWei, compensatedWei } = await closeForDowntime(payer, 12n)
 */
export function closeForDowntime(payer: Payer, orderId: bigint, options: PayOptions = {}): Promise<Cancelled> {
  return close(payer, orderId, 'closeForDowntime', options)
}

async function close(
  { client, addresses, wallet }: Payer,
  orderId: bigint,
  way: 'userCancel' | 'closeForDowntime',
  { onSent, signal }: PayOptions,
): Promise<Cancelled> {
  const market = await marketOf(client, addresses.access, orderId)
  signal?.throwIfAborted()
  const hash = await sendCall(client, wallet, contractCall(addresses, 'market', way, [orderId], market))
  onSent?.({ step: 'pay', hash })
  const { logs, blockNumber: block } = await waitForReceipt(client, hash)
  const [closed] = parseEventLogs({ abi: marketAbi, eventName: 'OrderClosed', logs })
  const [dropped] = parseEventLogs({ abi: marketAbi, eventName: 'BuyerCompensated', logs })
  const [down] = parseEventLogs({ abi: marketAbi, eventName: 'DowntimeCompensated', logs })
  const compensatedWei = (dropped?.args.fromPledge ?? 0n) + (down?.args.amount ?? 0n)
  return { orderId, refundedWei: closed?.args.refunded ?? 0n, compensatedWei, hash, block }
}
