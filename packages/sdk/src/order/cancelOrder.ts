import { marketAbi } from '@rackfair/contracts'
import { type CancelQuote, OrderStatus, START_SECONDS } from '@rackfair/core'
import { type Hash, parseEventLogs } from 'viem'
import { getBlock } from 'viem/actions'
import { contractCall } from '../chain/contractCall.ts'
import { marketOf } from '../chain/readAddresses.ts'
import { sendCall } from '../chain/sendCall.ts'
import { getOrder, quoteCancel } from '../chain/views.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { appError } from '../errors/appError.ts'
import { toAppError } from '../errors/toAppError.ts'
import type { Payer } from '../market/connectMarket.ts'
import type { PayOptions } from './payFromKey.ts'

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
export async function previewCancel(renter: Pick<Payer, 'client' | 'addresses'>, orderId: bigint): Promise<CancelQuote> {
  // Whoever releases an order that was never started does to it what its provider's cancel would.
  return quoteCancel(renter.client, renter.addresses, orderId, await isStartMissed(renter, orderId))
}

/**
 * Closes an order of one's own. What was not used comes back at once, and the machine is cleaned. One whose provider missed the start is released instead:
 * then its pledge pays the price of an hour on top.
 *
 * @throws AppError `WrongStatus` where it is closed already, `NotUser`, `transaction_timeout`, `rpc_unreachable`.
 * @example const { refundedWei } = await cancelOrder(renter, 12n)
 */
export async function cancelOrder(renter: Payer, orderId: bigint, options: PayOptions = {}): Promise<Cancelled> {
  return close(renter, orderId, (await isStartMissed(renter, orderId)) ? 'release' : 'userCancel', options)
}

/**
 * Closes anybody's order that its provider did not start within 24 hours: all of the money and the price of an hour out of the pledge go to its buyer. Anyone may
 * send it; whoever does pays gas and gets nothing.
 *
 * @throws AppError `WrongStatus` where its start was not missed or it is closed already, `transaction_timeout`, `rpc_unreachable`.
 * @example const { compensatedWei } = await releaseOrder(payer, 12n)
 */
export async function releaseOrder(payer: Payer, orderId: bigint, options: PayOptions = {}): Promise<Cancelled> {
  // The contract itself does nothing then, and takes gas for it.
  if (!(await isStartMissed(payer, orderId)))
    throw appError('WrongStatus', `order ${orderId} is closed, or the time in which its provider has to start it is not over`)
  return close(payer, orderId, 'release', options)
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
  way: 'userCancel' | 'closeForDowntime' | 'release',
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

/** By the chain's own clock, as of the block being built. Until it is started the last settlement of an order is its purchase. */
async function isStartMissed({ client, addresses }: Pick<Payer, 'client' | 'addresses'>, orderId: bigint): Promise<boolean> {
  const { status, lastSettleTime } = await getOrder(client, addresses, orderId)
  if (status !== OrderStatus.Created) return false
  const { timestamp } = await getBlock(client, { blockTag: 'pending' }).catch((error: unknown) => {
    throw toAppError(error)
  })
  return Number(timestamp) >= lastSettleTime + START_SECONDS
}
