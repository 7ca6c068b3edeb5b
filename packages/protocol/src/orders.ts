import { MAX_MONTHS, MONTH_SECONDS } from '@rackfair/rules/duration'
import { z } from 'zod'
import { nodeWire } from './nodes.ts'
import { addressString, count, hashString, idString, unixSeconds, weiString } from './scalars.ts'

/** An order under the specification's field names. Amounts in wei, times in unix seconds, lengths in seconds. */
export const orderWire = z.object({
  id: idString,
  user: addressString,
  provider: addressString,
  node_id: count,
  /** The node's revision at purchase. */
  rev: count,
  appName: z.string(),
  status: count,
  createTime: unixSeconds,
  /** 0 until activated. */
  activateTime: unixSeconds,
  lastSettleTime: unixSeconds,
  /** 0 while the order is open. */
  closeTime: unixSeconds,
  duration: count,
  probation: count,
  holdback: count,
  penalty: count,
  down: count,
  commissionBps: count,
  UserConfirm: z.boolean(),
  ProviderConfirm: z.boolean(),
  /** Wei per month. */
  rate: weiString,
  totalValue: weiString,
  remuneration: weiString,
  remain: weiString,
  /** Refunded to the buyer at the close, without compensation from the pledge. */
  refunded: weiString,
  /** What the provider's pledge paid the buyer. */
  compensated: weiString,
  p: z.object({ pCPU: weiString, pGPU: weiString, pMEM: weiString, pDISK: weiString }),
  r: z.object({ nCPU: count, nGPU: count, nMEM: count, nDISK: count }),
  cpuModel: z.string(),
  gpuModel: z.string(),
  core: count,
  /** The node as it is currently listed; null if it was removed. */
  node: nodeWire.nullable(),
  providerName: z.string(),
  ip: z.string(),
  port: count,
  domain: z.string(),
  /** True while the application of this order is marked deployed on chain. */
  deployed: z.boolean(),
  /** When an application of this order was first marked deployed, which ends the probation for good; 0 until then. */
  deployTime: unixSeconds,
  /** Final downtime reports cover the time up to here; 0 if there is none. */
  reportedUntil: unixSeconds,
  /** Since when they show the node down without interruption; 0 if it was up. */
  downSince: unixSeconds,
  /** After the buyer's cancel, `remain` waits for a report until then at most; 0 if nothing is pending. */
  pendingUntil: unixSeconds,
  /**
   * Maintenance of the node that is announced, not over, and begins within the order's time, the next first; at most 8. Absent if there is
   * none.
   */
  maintenance: z.array(z.object({ from: unixSeconds, until: unixSeconds })).optional(),
  block: count,
})
export type OrderWire = z.infer<typeof orderWire>

/** One chain event of an order. `args` are the event's own, big numbers as decimal strings. */
export const orderEventWire = z.object({
  name: z.string(),
  block: count,
  time: unixSeconds,
  logIndex: count,
  transactionHash: hashString,
  args: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})
export const orderEventsAnswer = z.object({ events: z.array(orderEventWire), block: count })
export type OrderEventWire = z.infer<typeof orderEventWire>

/** `GET /v1/orders/{id}/receipt`: every second and every wei of an order, recomputable from its events. */
export const receiptWire = z.object({
  order: orderWire,
  lines: z.array(
    z.object({
      time: unixSeconds,
      event: z.string(),
      /** Seconds of service this line settles; null for lines without service. */
      seconds: count.nullable(),
      /** Positive: paid into escrow by the buyer. */
      paid: weiString,
      /** To the provider, before commission. */
      earned: weiString,
      commission: weiString,
      refunded: weiString,
      compensated: weiString,
      transactionHash: hashString,
    }),
  ),
  /** Every second from the activation on, in exactly one span: up to the end that was bought if the order is closed, else up to `asOf`. */
  spans: z.array(
    z.object({
      kind: z.enum(['paid', 'down', 'late', 'pending', 'free', 'unused']),
      from: unixSeconds,
      /** Exclusive. */
      until: unixSeconds,
      earned: weiString,
      back: weiString,
      /** Epochs in it that at least two monitors observed; for downtime, how many of the reporting monitors saw it. */
      epochs: count,
      agreed: count,
      reported: count,
      /** The transaction that settled, found or closed it; null if none has yet. */
      transactionHash: hashString.nullable(),
    }),
  ),
  asOf: unixSeconds,
  totals: z.object({
    paid: weiString,
    earned: weiString,
    commission: weiString,
    refunded: weiString,
    compensated: weiString,
    escrow: weiString,
  }),
  block: count,
})
export type ReceiptWire = z.infer<typeof receiptWire>

/** Body of `POST /v1/order/fee`, under the specification's names. `duration` in seconds, within the bounds of the contract. */
export const feeRequest = z.object({
  duration: z
    .number()
    .int()
    .min(MONTH_SECONDS, `an order lasts at least ${MONTH_SECONDS} seconds (30 days)`)
    .max(
      MAX_MONTHS * MONTH_SECONDS,
      `an order lasts at most ${MAX_MONTHS * MONTH_SECONDS} seconds (${MAX_MONTHS} months of 30 days)`,
    ),
  node_id: z.number().int().min(1).max(4_294_967_295),
  provider: addressString,
})
export const feeAnswer = z.object({ fee: weiString, rev: count, ratePerMonth: weiString, block: count })
export type FeeAnswer = z.infer<typeof feeAnswer>

/** `GET /v1/cp/{address}/order/list` and `GET /v1/user/{address}/order/list` without paging are arrays of `orderWire`, newest first. */
export const orderList = z.array(orderWire)
