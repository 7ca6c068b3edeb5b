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
  /** Wei of Credit that came back. */
  refundedWei: bigint
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
 * Closes an order. What was not used comes back at once, and the machine is cleaned.
 *
 * @throws AppError `WrongStatus` where it is closed already, `NotUser`, `transaction_timeout`, `rpc_unreachable`.
 * @example const { refundedWei } = await cancelOrder(renter, 12n)
 */
export async function cancelOrder(renter: Payer, orderId: bigint, { onSent, signal }: PayOptions = {}): Promise<Cancelled> {
  const { client, addresses, wallet } = renter
  const market = await marketOf(client, addresses.access, orderId)
  signal?.throwIfAborted()
  const hash = await sendCall(client, wallet, contractCall(addresses, 'market', 'userCancel', [orderId], market))
  onSent?.({ step: 'pay', hash })
  const receipt = await waitForReceipt(client, hash)
  const [closed] = parseEventLogs({ abi: marketAbi, eventName: 'OrderClosed', logs: receipt.logs })
  return { orderId, refundedWei: closed?.args.refunded ?? 0n, hash, block: receipt.blockNumber }
}
