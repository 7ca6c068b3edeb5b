import type { LowerCaseAddress } from '../address.ts'
import { MONTH_SECONDS } from '../duration.ts'
import type { MarketNode } from '../node/node.ts'
import type { Resources, UnitPrices } from '../pricing.ts'

/** An order as programs know it. Amounts in wei of Credit, times in unix seconds, lengths in seconds; texts are a stranger's. */
export interface Order {
  /** As it is shown, and in addresses of pages. */
  id: string
  /** The same, as the contracts take it. */
  orderId: bigint
  user: LowerCaseAddress
  provider: LowerCaseAddress
  nodeId: number
  /** The node's, at the purchase. */
  revision: number
  providerName: string
  /** What is deployed on it, in the words of the chain; empty for nothing. */
  appName: string
  status: number
  createTime: number
  /** 0 until activated. */
  activateTime: number
  lastSettleTime: number
  /** 0 while the order is open. */
  closeTime: number
  duration: number
  probation: number
  holdback: number
  penalty: number
  /** Seconds of downtime credited so far. */
  down: number
  commissionBps: number
  userConfirm: boolean
  providerConfirm: boolean
  ratePerMonthWei: bigint
  totalValueWei: bigint
  /** Paid to the provider so far, before commission. */
  remunerationWei: bigint
  remainWei: bigint
  /** What went back to the buyer at the close, without compensation from the pledge. */
  refundedWei: bigint
  /** What the provider's pledge paid the buyer. */
  compensatedWei: bigint
  prices: UnitPrices
  resources: Resources
  cpuModel: string
  gpuModel: string
  /** Cores of one processor. */
  core: number
  /** The node as it is listed now; null if it was removed. */
  node: MarketNode | null
  ip: string
  port: number
  domain: string
  /** An application is marked deployed on chain. */
  deployed: boolean
  /** When one was first, which ends the probation for good; 0 until then. */
  deployTime: number
  /** Final downtime reports speak of the time up to here; 0 if there is none. */
  reportedUntil: number
  /** Since when they say that the node is down without interruption; 0 if it was up. */
  downSince: number
  /** After a cancel by the buyer `remainWei` waits for a report until then at most; 0 if nothing waits. */
  pendingUntil: number
  /** Maintenance of the node that is announced, not over, and begins in the order's time, the next first. */
  maintenance: readonly { from: number; until: number }[]
  block: number
}

/** The part of an order that decides about its money. Amounts in wei, times in unix seconds, lengths in seconds. */
export interface OrderTerms {
  status: number
  rate: bigint
  totalValue: bigint
  remuneration: bigint
  activateTime: number
  duration: number
  /** Seconds of downtime credited so far. */
  down: number
  /** Everything earlier than `now - holdback` is final. */
  holdback: number
  /** A provider that cancels pays the price of this many seconds. */
  penalty: number
  probation: number
  userConfirm: boolean
  /** An application was marked deployed once; stays true when it is cleaned. */
  deployed: boolean
  commissionBps: number
  /** Final reports speak of the time up to here; 0 if there is none. */
  reportedUntil: number
  /** Since when they say that the node is down without interruption; 0 if it was up. */
  downSince: number
  /** Seconds of downtime that the provider's pledge has paid once more so far. */
  creditedTwice: number
}

/** The part of an order that its money follows from. */
export function orderTerms(order: Order): OrderTerms {
  return {
    status: order.status,
    rate: order.ratePerMonthWei,
    totalValue: order.totalValueWei,
    remuneration: order.remunerationWei,
    activateTime: order.activateTime,
    duration: order.duration,
    down: order.down,
    holdback: order.holdback,
    penalty: order.penalty,
    probation: order.probation,
    userConfirm: order.userConfirm,
    deployed: order.deployTime > 0,
    commissionBps: order.commissionBps,
    reportedUntil: order.reportedUntil,
    downSince: order.downSince,
    creditedTwice: secondsOf(order.compensatedWei, order.ratePerMonthWei),
  }
}

/** The seconds that an amount was paid for. While an order is open its pledge has paid for nothing but downtime. */
function secondsOf(wei: bigint, rate: bigint): number {
  return Number((wei * BigInt(MONTH_SECONDS) + rate - 1n) / rate)
}

/** What somebody is to an order. `visitor`: nobody has connected a wallet. */
export type Who = 'buyer' | 'provider' | 'stranger' | 'visitor'

export function whoIs(order: Pick<Order, 'user' | 'provider'>, account: LowerCaseAddress | undefined): Who {
  if (account === undefined) return 'visitor'
  if (account === order.user) return 'buyer'
  return account === order.provider ? 'provider' : 'stranger'
}
