import { marketAbi } from '@rackfair/contracts'
import { type Hash, parseEventLogs } from 'viem'
import { contractCall, readMarket } from '../chain/contractCall.ts'
import { marketOf, readAddresses } from '../chain/readAddresses.ts'
import { sendCall } from '../chain/sendCall.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { appError } from '../errors/appError.ts'
import type { Payer } from '../market/connectMarket.ts'
import { asUser } from '../purse/asUser.ts'
import type { Conditions } from './offers.ts'
import type { PayOptions } from './payFromKey.ts'

export interface MoveOptions extends PayOptions {
  /** The conditions that were shown to the user: the contract refuses any others. Defaults to the current ones. */
  conditions?: Conditions | undefined
}

/** An order that continues in the current version of the market. */
export interface Moved {
  /** Its new order id, and its previous one. */
  orderId: bigint
  from: bigint
  /** Wei of Credit that the remaining time cost, out of what was left. */
  feeWei: bigint
  /** Wei of Credit refunded at once. */
  refundedWei: bigint
  hash: Hash
  block: bigint
}

/**
 * The conditions under which an order would continue in the current version; undefined if it is already in that version.
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
 * Moves an order of an earlier version of the market to the current one, where it can be extended: the same machine at the same prices for
 * the remaining time, under a new order id. The old order ends as by a cancel, and its machine is cleaned with it.
 *
 * @throws AppError `NowhereToMove` if it is in the current version, `ConditionsChanged`, `NotUser`, `WrongStatus`, `OrderEnded`,
 * `FreePledgeTooLow` and other errors of the contract, `transaction_timeout`, `rpc_unreachable`.
 * @example const { orderId } = await moveOrder(renter, 12n, { conditions: await previewMove(renter, 12n) })
 */
export async function moveOrder(renter: Payer, from: bigint, options: MoveOptions = {}): Promise<Moved> {
  const { client, addresses, wallet } = renter
  const { onSent, signal } = options
  const conditions = options.conditions ?? (await previewMove(renter, from))
  if (!conditions) throw appError('NowhereToMove', `order ${from} is in the current version of the market`)
  const market = await marketOf(client, addresses.access, from)
  signal?.throwIfAborted()
  const hash = await sendCall(
    client,
    wallet,
    asUser(renter, contractCall(addresses, 'market', 'move', [from, conditions], market)),
  )
  onSent?.({ step: 'pay', hash })
  const { logs, blockNumber: block } = await waitForReceipt(client, hash)
  const [created] = parseEventLogs({ abi: marketAbi, eventName: 'OrderCreated', logs })
  if (!created) throw appError('unknown', 'the transaction moved no order', { hash })
  const [closed] = parseEventLogs({ abi: marketAbi, eventName: 'OrderClosed', logs })
  const { id: orderId, totalValue: feeWei } = created.args
  return { orderId, from, feeWei, refundedWei: (closed?.args.refunded ?? feeWei) - feeWei, hash, block }
}
