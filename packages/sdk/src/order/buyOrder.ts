import { isDurationMonths, isOrderSeconds, monthsToSeconds, readDuration } from '@rackfair/rules/duration'
import type { Address, Hash, TransactionReceipt } from 'viem'
import { readMarket } from '../chain/contractCall.ts'
import { createdOrderId } from '../chain/createdOrderId.ts'
import { extendedDuration } from '../chain/extendedDuration.ts'
import { quoteExtension, quoteOrder } from '../chain/views.ts'
import { appError } from '../errors/appError.ts'
import type { Market, Payer } from '../market/connectMarket.ts'
import { type HardwareWish, requireHardware } from '../uptime/requireHardware.ts'
import { type Conditions, extensionOffer, type Offer, orderOffer } from './offers.ts'
import { type PayOptions, payFromKey } from './payFromKey.ts'

/** How long: months of 30 days (1 to 120), or any time from an hour to 120 months. */
export type Term =
  | { months: number; term?: never }
  /** A time such as `'2h'`, `'3 days'` or `'1 month'`, or whole seconds. */
  | { term: string | number; months?: never }

/** A machine, and how long to buy it for: the shortest time that it is sold for, an hour for most, where nothing is said. */
export type Purchase = { provider: Address; nodeId: bigint | number } & (Term | { term?: undefined; months?: never })

/** The current price of a purchase. */
export interface Quote {
  /** Wei of Credit for the whole time. */
  feeWei: bigint
  /** The revision of the machine that the price is for. */
  rev: number
  /** Seconds. */
  duration: number
  /** The conditions that the order will keep: probation, holdback, penalty and commission. */
  conditions: Conditions
}

export interface BuyOptions extends PayOptions {
  /** Wei of Credit. A higher price is refused before anything is signed. */
  maxPriceWei?: bigint | undefined
  /** A quote that was shown to the user: if its price, machine or conditions have changed since, the contract refuses the purchase. */
  quote?: Quote | undefined
  /**
   * Refuses a machine whose hardware monitors have not verified to this level, before anything is signed. Needs a renter with the
   * platform's API.
   */
  hardware?: HardwareWish | undefined
}

/** A new order, or time added to one. */
export interface Bought {
  orderId: bigint
  /** Wei of Credit paid. */
  feeWei: bigint
  hash: Hash
  /** Pass it as `minBlock` to see the order in every answer of the platform. */
  block: bigint
}

/**
 * The price of a machine for a time, as the contract quotes it.
 *
 * @throws AppError `bad_request` for a time out of bounds, `DurationOutOfBounds` if the machine is sold for longer only, other errors of the
 * contract, `rpc_unreachable` (retryable).
 * @example const { feeWei } = await quote(market, { provider, nodeId: 1, term: '2h' })
 */
export async function quote(market: Pick<Market, 'client' | 'addresses'>, purchase: Purchase): Promise<Quote> {
  const { client, addresses } = market
  const { provider, nodeId, months, term } = purchase
  const isShortest = months === undefined && term === undefined
  const duration = isShortest
    ? await readMarket(client, addresses, 'registry', 'minTermOf', [provider, BigInt(nodeId)])
    : secondsOf({ months, term })
  return { ...(await quoteOrder(client, addresses, provider, BigInt(nodeId), duration)), duration }
}

/**
 * Buys a machine: one signature and one transaction for an ordinary account, an approval first for a smart one.
 *
 * @throws AppError `bad_request`, `DurationOutOfBounds`, `FeeTooHigh` above `maxPriceWei` or if the price rose, `StaleNode`, `ConditionsChanged`, `NodeSold` and other errors of
 * the contract, `hardware_not_verified`, `insufficient_credit`, `insufficient_gas`, `transaction_timeout` (the transaction may still be
 * mined), `rpc_unreachable`.
 * @example const { orderId } = await buyOrder(renter, { provider, nodeId: 1, term: '2h' }, { maxPriceWei: 20n * ONE_CREDIT_WEI })
 */
export async function buyOrder(
  renter: Payer & Partial<Pick<Market, 'api'>>,
  purchase: Purchase,
  options: BuyOptions = {},
): Promise<Bought> {
  const offer = await offerOf(renter, purchase, options)
  const bought = boughtBy(await payFromKey(renter, offer, options), offer.feeWei)
  if (!bought) throw appError('unknown', 'the transaction created no order')
  return bought
}

/**
 * Adds time to a running order, at least an hour. Anybody can pay for it; refunds go to the order's user.
 *
 * @throws AppError as `buyOrder`.
 * @example await extendOrder(renter, { orderId: 12n, term: '3 days' })
 */
export async function extendOrder(
  renter: Payer,
  { orderId, ...term }: { orderId: bigint } & Term,
  options: Omit<BuyOptions, 'quote' | 'hardware'> = {},
): Promise<Bought & { duration: number }> {
  const moreSeconds = secondsOf(term)
  const feeWei = await quoteExtension(renter.client, renter.addresses, orderId, moreSeconds)
  requirePrice(feeWei, options.maxPriceWei)
  const receipt = await payFromKey(renter, await extensionOffer(renter, { orderId, moreSeconds, feeWei }), options)
  const duration = extendedDuration(receipt)
  if (duration === undefined) throw appError('unknown', 'the transaction extended no order', { hash: receipt.transactionHash })
  return { orderId, feeWei, hash: receipt.transactionHash, block: receipt.blockNumber, duration }
}

/** What a machine costs now, if that may be paid and its hardware is as wished. */
export async function offerOf(
  renter: Payer & Partial<Pick<Market, 'api'>>,
  purchase: Purchase,
  options: BuyOptions,
): Promise<Offer> {
  const { provider, nodeId } = purchase
  const quoted = options.quote ?? (await quote(renter, purchase))
  requirePrice(quoted.feeWei, options.maxPriceWei)
  if (options.hardware) {
    const { api } = renter
    if (!api)
      throw appError('bad_request', 'a machine’s hardware is looked up at the platform: pass in a renter of connectMarket')
    await requireHardware({ ...renter, api }, { provider, nodeId, rev: quoted.rev }, options.hardware)
  }
  return orderOffer(renter.addresses, { provider, nodeId: BigInt(nodeId), ...quoted })
}

/** The order that a transaction created; undefined if it created none. */
export function boughtBy(receipt: TransactionReceipt, feeWei: bigint): Bought | undefined {
  const orderId = createdOrderId(receipt)
  return orderId === undefined ? undefined : { orderId, feeWei, hash: receipt.transactionHash, block: receipt.blockNumber }
}

function secondsOf({ months, term }: { months?: number | undefined; term?: string | number | undefined }): number {
  if (months !== undefined) {
    if (!isDurationMonths(months)) throw appError('bad_request', 'an order lasts 1 to 120 whole months')
    return monthsToSeconds(months)
  }
  const seconds = typeof term === 'string' ? readDuration(term) : term
  if (seconds === undefined) throw appError('bad_request', `${term} is not a time such as 2h, 3 days or 1 month`)
  if (!isOrderSeconds(seconds)) throw appError('bad_request', 'an order lasts an hour to 120 months of 30 days')
  return seconds
}

function requirePrice(feeWei: bigint, maxPriceWei: bigint | undefined): void {
  if (maxPriceWei !== undefined && feeWei > maxPriceWei)
    throw appError('FeeTooHigh', `the price is ${feeWei} wei of Credit, at most ${maxPriceWei} may be paid`, {
      fee: String(feeWei),
      maxFee: String(maxPriceWei),
    })
}
