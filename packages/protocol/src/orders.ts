import type { Order } from '@rackfair/rules/order/order'
import { nodeShape } from './nodes.ts'
import {
  address,
  count,
  facts,
  flag,
  from,
  hash,
  id,
  into,
  listOf,
  malformed,
  object,
  oneOf,
  orElse,
  orNull,
  seconds,
  text,
  unread,
  type ValueOf,
  type WireOf,
  wei,
} from './shape.ts'

/** How many announcements of maintenance one answer has at most; the platform lists 8. */
const MAX_MAINTENANCE = 100
/** Maximum number of orders of one account in one answer. */
const MAX_ORDERS = 100_000

/** Seconds are computed by dividing by it, so it must not be zero. */
const rate = into(wei, (read, name) => {
  if (read === 0n) throw malformed(name, 'a price')
  return read
})

/** An order under the specification's field names. Amounts in wei, times in unix seconds, lengths in seconds. */
const fields = object({
  orderId: from('id', id),
  user: address,
  provider: address,
  nodeId: from('node_id', count),
  /** The node's revision at purchase. */
  revision: from('rev', count),
  appName: text,
  status: count,
  createTime: seconds,
  /** 0 until activated. */
  activateTime: seconds,
  lastSettleTime: seconds,
  /** 0 while the order is open. */
  closeTime: seconds,
  duration: seconds,
  probation: seconds,
  holdbackSeconds: from('holdback', seconds),
  penalty: seconds,
  downSeconds: from('down', seconds),
  commissionBps: count,
  userConfirm: from('UserConfirm', flag),
  providerConfirm: from('ProviderConfirm', flag),
  /** Wei per month. */
  ratePerMonthWei: from('rate', rate),
  totalValueWei: from('totalValue', wei),
  remunerationWei: from('remuneration', wei),
  remainWei: from('remain', wei),
  /** Refunded to the buyer at the close, without compensation from the pledge. */
  refundedWei: from('refunded', wei),
  /** What the provider's pledge paid the buyer. */
  compensatedWei: from('compensated', wei),
  prices: from('p', object({ pCPU: wei, pGPU: wei, pMEM: wei, pDISK: wei })),
  resources: from('r', object({ nCPU: count, nGPU: count, nMEM: count, nDISK: count })),
  cpuModel: text,
  gpuModel: text,
  core: count,
  /** The node as it is currently listed; null if it was removed. */
  node: orNull(nodeShape),
  providerName: text,
  ip: text,
  port: count,
  domain: text,
  /** True while the application of this order is marked deployed on chain. */
  deployed: flag,
  /** When an application of this order was first marked deployed, which ends the probation for good; 0 until then. */
  deployTime: seconds,
  /** Final downtime reports cover the time up to here; 0 if there is none. */
  reportedUntil: seconds,
  /** Since when they show the node down without interruption; 0 if it was up. */
  downSince: seconds,
  /** After the buyer's cancel, `remain` waits for a report until then at most; 0 if nothing is pending. */
  pendingUntil: seconds,
  /** Maintenance of the node that is announced, not over, and begins within the order's time, the next first. Absent if there is none. */
  maintenance: orElse(listOf(object({ from: seconds, until: seconds }), MAX_MAINTENANCE), () => []),
  block: count,
})
export const orderShape = into(fields, (read): Order => ({ ...read, id: String(read.orderId) }))
export type OrderWire = WireOf<typeof orderShape>

/** `GET /v1/cp/{address}/order/list` and `GET /v1/user/{address}/order/list` without paging: newest first. */
export const orderList = listOf(orderShape, MAX_ORDERS)

/** One event of an order on the chain. `args` are the event's own, big numbers as decimal strings: see `eventAmount`. */
export const orderEventShape = object({
  name: text,
  block: count,
  /** Unix seconds. */
  time: seconds,
  logIndex: count,
  transactionHash: hash,
  args: facts,
})
export type OrderEvent = ValueOf<typeof orderEventShape>
export type OrderEventWire = WireOf<typeof orderEventShape>

/** `GET /v1/orders/{id}/events` */
export const orderEventsAnswer = object({ events: listOf(orderEventShape), block: unread(count) })

/** The amounts on one line of a receipt, in wei of Credit. */
const amounts = {
  /** Positive: paid into escrow by the buyer. */
  paidWei: from('paid', wei),
  /** To the provider, before commission. */
  earnedWei: from('earned', wei),
  commissionWei: from('commission', wei),
  refundedWei: from('refunded', wei),
  compensatedWei: from('compensated', wei),
}
const receiptAmounts = object(amounts)
export type ReceiptAmounts = ValueOf<typeof receiptAmounts>

/** One line of a receipt. */
const receiptEntry = object({
  /** Unix seconds. */
  time: seconds,
  event: text,
  /** Seconds of service that the line settles; null for lines without service. */
  seconds: orNull(seconds),
  ...amounts,
  transactionHash: hash,
})
export type ReceiptEntry = ValueOf<typeof receiptEntry>

/** A contiguous span of an order's seconds of one kind; unix seconds, `until` exclusive. */
const receiptPeriod = object({
  kind: oneOf('paid', 'down', 'late', 'pending', 'free', 'unused'),
  from: seconds,
  until: seconds,
  earnedWei: from('earned', wei),
  backWei: from('back', wei),
  /** Epochs in it that at least two monitors observed; for downtime, how many of the reporting monitors saw it. */
  epochs: count,
  agreed: count,
  reported: count,
  /** The transaction that settled, found or closed it; null if none has yet. */
  transactionHash: orNull(hash),
})
export type ReceiptPeriod = ValueOf<typeof receiptPeriod>

/** `GET /v1/orders/{id}/receipt`: every second and every wei of an order, recomputable from its events. */
export const receiptShape = object({
  order: orderShape,
  lines: listOf(receiptEntry),
  /** Every second from the activation on, in exactly one span: up to the end that was bought if the order is closed, else up to `asOf`. */
  spans: listOf(receiptPeriod),
  /** Unix seconds. */
  asOf: seconds,
  totals: object({ ...amounts, escrowWei: from('escrow', wei) }),
  block: count,
})
export type OrderReceipt = ValueOf<typeof receiptShape>
export type ReceiptWire = WireOf<typeof receiptShape>

/** `POST /v1/order/fee`: what an order would cost, in wei, at the node's revision. */
export const feeAnswer = object({
  feeWei: from('fee', wei),
  revision: from('rev', count),
  ratePerMonthWei: from('ratePerMonth', wei),
  block: count,
})
export type FeeAnswer = WireOf<typeof feeAnswer>

/**
 * An order of `GET /v1/orders/{id}`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readOrder = (json: unknown): Order => orderShape(json, 'order')

/**
 * All orders of a buyer or a provider, newest first.
 * @throws AppError `answer_malformed`.
 */
export const readOrders = (json: unknown): readonly Order[] => orderList(json, 'orders')

/**
 * `GET /v1/orders/{id}/events`.
 * @throws AppError `answer_malformed`.
 */
export const readOrderEvents = (json: unknown): readonly OrderEvent[] => orderEventsAnswer(json, 'events').events

/**
 * `GET /v1/orders/{id}/receipt`.
 * @throws AppError `answer_malformed`.
 */
export const readReceipt = (json: unknown): OrderReceipt => receiptShape(json, 'receipt')

/**
 * An amount among the arguments of an event, in wei; 0 if the event has no argument of that name.
 * @throws AppError `answer_malformed` if it is not an amount.
 */
export function eventAmount({ name, args }: OrderEvent, argument: string): bigint {
  const value = args[argument]
  return value === undefined ? 0n : wei(String(value), `${name}.${argument}`)
}
