import {
  address,
  count,
  fieldsOf,
  flag,
  hash,
  id,
  listOf,
  malformed,
  oneOf,
  optional,
  orNull,
  type Read,
  seconds,
  text,
  wei,
} from '@rackfair/protocol/shape'
import type { Order } from '@rackfair/rules/order/order'
import type { SpanKind } from '@rackfair/rules/order/receiptSpans'
import type { Resources, UnitPrices } from '@rackfair/rules/prices/pricing'
import { readNode } from './node.ts'

/** How many announcements of maintenance one answer has at most. */
const MAX_MAINTENANCE = 100
/** Maximum number of orders of one account in one answer. */
const MAX_ORDERS = 100_000

/** One event of an order on the chain. `args` are the event's own, big numbers as decimal strings: see `eventAmount`. */
export interface OrderEvent {
  name: string
  block: number
  /** Unix seconds. */
  time: number
  logIndex: number
  transactionHash: `0x${string}`
  args: Readonly<Record<string, string | number | boolean>>
}

/** The amounts on one line of a receipt, in wei of Credit. */
export interface ReceiptAmounts {
  paidWei: bigint
  /** To the provider, before commission. */
  earnedWei: bigint
  commissionWei: bigint
  refundedWei: bigint
  compensatedWei: bigint
}

/** One line of a receipt. */
export interface ReceiptEntry extends ReceiptAmounts {
  /** Unix seconds. */
  time: number
  event: string
  /** Seconds of service that the line settles; null for lines without service. */
  seconds: number | null
  transactionHash: `0x${string}`
}

/** A contiguous span of an order's seconds of one kind; unix seconds, `until` exclusive. */
export interface ReceiptPeriod {
  kind: SpanKind
  from: number
  until: number
  earnedWei: bigint
  backWei: bigint
  /** Epochs in it that at least two monitors observed; for downtime, how many of the reporting monitors saw it. */
  epochs: number
  agreed: number
  reported: number
  /** The transaction that settled, found or closed it; null if none has yet. */
  transactionHash: `0x${string}` | null
}

/** Every second and every wei of an order, as the platform reports it. */
export interface OrderReceipt {
  order: Order
  lines: readonly ReceiptEntry[]
  spans: readonly ReceiptPeriod[]
  /** Unix seconds. */
  asOf: number
  totals: ReceiptAmounts & { escrowWei: bigint }
  block: number
}

/**
 * An order of `GET /v1/orders/{id}`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readOrder(json: unknown): Order {
  return order(json, 'order')
}

/**
 * All orders of a buyer or a provider, newest first.
 * @throws AppError `answer_malformed`.
 */
export function readOrders(json: unknown): readonly Order[] {
  return listOf(order, MAX_ORDERS)(json, 'orders')
}

/**
 * `GET /v1/orders/{id}/events`.
 * @throws AppError `answer_malformed`.
 */
export function readOrderEvents(json: unknown): readonly OrderEvent[] {
  return fieldsOf(json, 'events')('events', listOf(event))
}

/**
 * `GET /v1/orders/{id}/receipt`.
 * @throws AppError `answer_malformed`.
 */
export function readReceipt(json: unknown): OrderReceipt {
  const of = fieldsOf(json, 'receipt')
  return {
    order: of('order', order),
    lines: of('lines', listOf(line)),
    spans: of('spans', listOf(span)),
    asOf: of('asOf', seconds),
    totals: of('totals', (totals, name) => ({ ...amounts(totals, name), escrowWei: fieldsOf(totals, name)('escrow', wei) })),
    block: of('block', count),
  }
}

/**
 * An amount among the arguments of an event, in wei; 0 if the event has no argument of that name.
 * @throws AppError `answer_malformed` if it is not an amount.
 */
export function eventAmount({ name, args }: OrderEvent, argument: string): bigint {
  const value = args[argument]
  return value === undefined ? 0n : wei(String(value), `${name}.${argument}`)
}

const order: Read<Order> = (json, name) => {
  const of = fieldsOf(json, name)
  const orderId = of('id', id)
  return {
    id: String(orderId),
    orderId,
    user: of('user', address),
    provider: of('provider', address),
    nodeId: of('node_id', count),
    revision: of('rev', count),
    providerName: of('providerName', text),
    appName: of('appName', text),
    status: of('status', count),
    createTime: of('createTime', seconds),
    activateTime: of('activateTime', seconds),
    lastSettleTime: of('lastSettleTime', seconds),
    closeTime: of('closeTime', seconds),
    duration: of('duration', seconds),
    probation: of('probation', seconds),
    holdback: of('holdback', seconds),
    penalty: of('penalty', seconds),
    down: of('down', seconds),
    commissionBps: of('commissionBps', count),
    userConfirm: of('UserConfirm', flag),
    providerConfirm: of('ProviderConfirm', flag),
    ratePerMonthWei: of('rate', rate),
    totalValueWei: of('totalValue', wei),
    remunerationWei: of('remuneration', wei),
    remainWei: of('remain', wei),
    refundedWei: of('refunded', wei),
    compensatedWei: of('compensated', wei),
    prices: of('p', prices),
    resources: of('r', resources),
    cpuModel: of('cpuModel', text),
    gpuModel: of('gpuModel', text),
    core: of('core', count),
    node: of('node', orNull(readNode)),
    ip: of('ip', text),
    port: of('port', count),
    domain: of('domain', text),
    deployed: of('deployed', flag),
    deployTime: of('deployTime', seconds),
    reportedUntil: of('reportedUntil', seconds),
    downSince: of('downSince', seconds),
    pendingUntil: of('pendingUntil', seconds),
    maintenance: of('maintenance', optional(listOf(hours, MAX_MAINTENANCE))) ?? [],
    block: of('block', count),
  }
}

/** Seconds are computed by dividing by it, so it must not be zero. */
const rate: Read<bigint> = (json, name) => {
  const read = wei(json, name)
  if (read === 0n) throw malformed(name, 'a price')
  return read
}

const prices: Read<UnitPrices> = (json, name) => {
  const of = fieldsOf(json, name)
  return { pCPU: of('pCPU', wei), pGPU: of('pGPU', wei), pMEM: of('pMEM', wei), pDISK: of('pDISK', wei) }
}

const resources: Read<Resources> = (json, name) => {
  const of = fieldsOf(json, name)
  return { nCPU: of('nCPU', count), nGPU: of('nGPU', count), nMEM: of('nMEM', count), nDISK: of('nDISK', count) }
}

const hours: Read<{ from: number; until: number }> = (json, name) => {
  const of = fieldsOf(json, name)
  return { from: of('from', seconds), until: of('until', seconds) }
}

const event: Read<OrderEvent> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    name: of('name', text),
    block: of('block', count),
    time: of('time', seconds),
    logIndex: of('logIndex', count),
    transactionHash: of('transactionHash', hash),
    args: of('args', eventArguments),
  }
}

const eventArguments: Read<OrderEvent['args']> = (json, name) => {
  fieldsOf(json, name)
  for (const [key, value] of Object.entries(json as object))
    if (typeof value === 'string') text(value, `${name}.${key}`)
    else if (typeof value !== 'number' && typeof value !== 'boolean')
      throw malformed(`${name}.${key}`, 'a text, a number or a flag')
  return json as OrderEvent['args']
}

const amounts: Read<ReceiptAmounts> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    paidWei: of('paid', wei),
    earnedWei: of('earned', wei),
    commissionWei: of('commission', wei),
    refundedWei: of('refunded', wei),
    compensatedWei: of('compensated', wei),
  }
}

const line: Read<ReceiptEntry> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    time: of('time', seconds),
    event: of('event', text),
    seconds: of('seconds', orNull(seconds)),
    transactionHash: of('transactionHash', hash),
    ...amounts(json, name),
  }
}

const span: Read<ReceiptPeriod> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    kind: of('kind', oneOf('paid', 'down', 'late', 'pending', 'free', 'unused')),
    from: of('from', seconds),
    until: of('until', seconds),
    earnedWei: of('earned', wei),
    backWei: of('back', wei),
    epochs: of('epochs', count),
    agreed: of('agreed', count),
    reported: of('reported', count),
    transactionHash: of('transactionHash', orNull(hash)),
  }
}
