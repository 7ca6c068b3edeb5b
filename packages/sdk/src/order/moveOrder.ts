import { marketAbi } from '@rackfair/contracts'
import { type Hash, parseEventLogs } from 'viem'
import { contractCall, readMarket } from '../chain/contractCall.ts'
import { createdOrderId } from '../chain/createdOrderId.ts'
import { marketOf, readAddresses } from '../chain/readAddresses.ts'
import { sendCall } from '../chain/sendCall.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { appError } from '../errors/appError.ts'
import type { Payer } from '../market/connectMarket.ts'
import type { Conditions } from './offers.ts'
import type { PayOptions } from './payFromKey.ts'

export interface MoveOptions extends PayOptions {
  /** The conditions that were shown to somebody: the contract refuses others. Those of now if left out. */
  conditions?: Conditions | undefined
}

/** An order that goes on in the current version of the market. */
export interface Moved {
  /** The number of the order that it is from now on, and the one that it was. */
  orderId: bigint
  from: bigint
  /** Wei of Credit that the rest of its time cost, out of what was left. */
  feeWei: bigint
  /** Wei of Credit that came back at once. */
  refundedWei: bigint
  hash: Hash
  block: bigint
}

/**
 * The conditions under which an order would go on in the current version; undefined where it is in that version already.
 * @throws AppError `rpc_unreachable`.
 * @example const conditions = await previewMove(renter, 12n)
 */
export async function previewMove(
  { client, addresses }: Pick<Payer, 'client' | 'addresses'>,
  orderId: bigint,
): Promise<Conditions | undefined> {
  const [current, market] = await Promise.all([
    readAddresses(client, addresses.access),
    marketOf(client, addresses.access, orderId),
  ])
  if (current.market === market) return undefined
  const { probation, holdback, penalty, commissionBps } = await readMarket(client, current, 'market', 'params', [])
  return { probation, holdback, penalty, commissionBps }
}

/**
 * Carries an order of an earlier version of the market on in the current one, where it can be extended: the same machine at the same prices for the time
 * that is left, under a new number. The old order ends as by a cancel, and its machine is cleaned with it.
 *
 * @throws AppError `NowhereToMove` where it is in the current version, `ConditionsChanged`, `NotUser`, `WrongStatus`, `OrderEnded`, `FreePledgeTooLow` and
 * other errors of the contract, `transaction_timeout`, `rpc_unreachable`.
 * @example const { orderId } = await moveOrder(renter, 12n, { conditions: await previewMove(renter, 12n) })
 */
export async function moveOrder(renter: Payer, from: bigint, options: MoveOptions = {}): Promise<Moved> {
  const { client, addresses, wallet } = renter
  const { onSent, signal } = options
  const conditions = options.conditions ?? (await previewMove(renter, from))
  if (!conditions) throw appError('NowhereToMove', `order ${from} is in the current version of the market`)
  const market = await marketOf(client, addresses.access, from)
  signal?.throwIfAborted()
  const hash = await sendCall(client, wallet, contractCall(addresses, 'market', 'move', [from, conditions], market))
  onSent?.({ step: 'pay', hash })
  const receipt = await waitForReceipt(client, hash)
  const orderId = createdOrderId(receipt)
  if (orderId === undefined) throw appError('unknown', 'the transaction moved no order', { hash })
  const { logs, blockNumber: block } = receipt
  const [created] = parseEventLogs({ abi: marketAbi, eventName: 'OrderCreated', logs })
  const [closed] = parseEventLogs({ abi: marketAbi, eventName: 'OrderClosed', logs })
  const feeWei = created?.args.totalValue ?? 0n
  return { orderId, from, feeWei, refundedWei: (closed?.args.refunded ?? feeWei) - feeWei, hash, block }
}
