import { marketAbi } from '@rackfair/contracts'
import { START_SECONDS } from '@rackfair/rules/duration'
import type { CancelQuote } from '@rackfair/rules/order/money'
import { OrderStatus } from '@rackfair/rules/order/status'
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
import { asUser } from '../purse/asUser.ts'
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
 * What a cancel would refund now, in wei, as the contract computes it.
 * @throws AppError with the contract's error, `rpc_unreachable`.
 * @example const { toUser } = await previewCancel(renter, 12n)
 */
export async function previewCancel(renter: Pick<Payer, 'client' | 'addresses'>, orderId: bigint): Promise<CancelQuote> {
  // Releasing an order that was never started settles it like a cancel by its provider.
  return quoteCancel(renter.client, renter.addresses, orderId, await isStartMissed(renter, orderId))
}

/**
 * Closes one's own order. What was not used is refunded at once, and the machine is cleaned. If the provider missed the start, the order is
 * released instead, and the provider's pledge also pays the price of an hour.
 *
 * @throws AppError `WrongStatus` if it is already closed, `NotUser`, `transaction_timeout`, `rpc_unreachable`.
 * @example const { refundedWei } = await cancelOrder(renter, 12n)
 */
export async function cancelOrder(renter: Payer, orderId: bigint, options: PayOptions = {}): Promise<Cancelled> {
  return close(renter, orderId, (await isStartMissed(renter, orderId)) ? 'release' : 'userCancel', options)
}

/**
 * Closes any order that its provider did not start within 24 hours: its buyer gets all of the money and the price of an hour out of the
 * pledge. Anyone may send it; the sender pays the gas and gets nothing.
 *
 * @throws AppError `WrongStatus` if its start was not missed or it is already closed, `transaction_timeout`, `rpc_unreachable`.
 * @example const { compensatedWei } = await releaseOrder(payer, 12n)
 */
export async function releaseOrder(payer: Payer, orderId: bigint, options: PayOptions = {}): Promise<Cancelled> {
  // The contract would do nothing and still charge gas.
  if (!(await isStartMissed(payer, orderId)))
    throw appError('WrongStatus', `order ${orderId} is closed, or the time in which its provider has to start it is not over`)
  return close(payer, orderId, 'release', options)
}

/**
 * Closes any order whose machine was away for 24 hours without interruption, as of the first second of that time: its buyer gets the rest,
 * and the penalty out of the provider's pledge. Anyone may send it; the sender pays the gas and gets nothing.
 *
 * @throws AppError `NotDownForADay` if the final reports do not say so, `WrongStatus` if it is already closed, `transaction_timeout`,
 * `rpc_unreachable`.
 * @example const { refundedWei, compensatedWei } = await closeForDowntime(payer, 12n)
 */
export function closeForDowntime(payer: Payer, orderId: bigint, options: PayOptions = {}): Promise<Cancelled> {
  return close(payer, orderId, 'closeForDowntime', options)
}

async function close(
  payer: Payer,
  orderId: bigint,
  way: 'userCancel' | 'closeForDowntime' | 'release',
  { onSent, signal }: PayOptions,
): Promise<Cancelled> {
  const { client, addresses, wallet } = payer
  const market = await marketOf(client, addresses.access, orderId)
  signal?.throwIfAborted()
  const hash = await sendCall(client, wallet, asUser(payer, contractCall(addresses, 'market', way, [orderId], market)))
  onSent?.({ step: 'pay', hash })
  const { logs, blockNumber: block } = await waitForReceipt(client, hash)
  const [closed] = parseEventLogs({ abi: marketAbi, eventName: 'OrderClosed', logs })
  const [dropped] = parseEventLogs({ abi: marketAbi, eventName: 'BuyerCompensated', logs })
  const [down] = parseEventLogs({ abi: marketAbi, eventName: 'DowntimeCompensated', logs })
  const compensatedWei = (dropped?.args.fromPledge ?? 0n) + (down?.args.amount ?? 0n)
  return { orderId, refundedWei: closed?.args.refunded ?? 0n, compensatedWei, hash, block }
}

/** By the chain's own clock, as of the pending block. Until an order is started, its last settlement is its purchase. */
async function isStartMissed({ client, addresses }: Pick<Payer, 'client' | 'addresses'>, orderId: bigint): Promise<boolean> {
  const { status, lastSettleTime } = await getOrder(client, addresses, orderId)
  if (status !== OrderStatus.Created) return false
  const { timestamp } = await getBlock(client, { blockTag: 'pending' }).catch((error: unknown) => {
    throw toAppError(error)
  })
  return Number(timestamp) >= lastSettleTime + START_SECONDS
}
