import type { LowerCaseAddress } from '../address.ts'
import { MONTH_SECONDS } from '../duration.ts'
import type { MarketNode } from '../node/node.ts'
import type { Resources, UnitPrices } from '../prices/pricing.ts'

/** An order as a domain value. Amounts in wei of Credit, times in unix seconds, lengths in seconds; texts are untrusted. */
export interface Order {
  /** The id as a decimal string, for display and URLs. */
  id: string
  /** The same id, for contract calls. */
  orderId: bigint
  user: LowerCaseAddress
  provider: LowerCaseAddress
  nodeId: number
  /** The node's revision at the purchase. */
  revision: number
  providerName: string
  /** Name of the application deployed on it, as the chain has it; empty for none. */
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
  /** The last stretch of time, which is not final yet. */
  holdbackSeconds: number
  penalty: number
  /** Downtime credited so far. */
  downSeconds: number
  commissionBps: number
  userConfirm: boolean
  providerConfirm: boolean
  ratePerMonthWei: bigint
  totalValueWei: bigint
  /** Paid to the provider so far, before commission. */
  remunerationWei: bigint
  remainWei: bigint
  /** Refunded to the buyer at the close, without compensation from the pledge. */
  refundedWei: bigint
  /** What the provider's pledge paid the buyer. */
  compensatedWei: bigint
  prices: UnitPrices
  resources: Resources
  cpuModel: string
  gpuModel: string
  /** Cores of one processor. */
  core: number
  /** The node as it is currently listed; null if it was removed. */
  node: MarketNode | null
  ip: string
  port: number
  domain: string
  /** An application is marked deployed on chain. */
  deployed: boolean
  /** When one was first marked deployed, which ends the probation for good; 0 until then. */
  deployTime: number
  /** Final downtime reports cover the time up to here; 0 if there is none. */
  reportedUntil: number
  /** Since when they show the node down without interruption; 0 if it was up. */
  downSince: number
  /** After the buyer's cancel, `remainWei` waits for a report until then at most; 0 if nothing is pending. */
  pendingUntil: number
  /** Maintenance of the node that is announced, not over, and begins within the order's time; the next first. */
  maintenance: readonly { from: number; until: number }[]
  block: number
}

/** The part of an order that determines its money. Amounts in wei, times in unix seconds, lengths in seconds. */
export interface OrderTerms {
  status: number
  ratePerMonthWei: bigint
  totalValueWei: bigint
  /** Paid to the provider so far, before commission. */
  remunerationWei: bigint
  activateTime: number
  duration: number
  /** Downtime credited so far. */
  downSeconds: number
  /** Everything earlier than `now - holdbackSeconds` is final. */
  holdbackSeconds: number
  /** A provider that cancels pays the price of this many seconds. */
  penalty: number
  probation: number
  userConfirm: boolean
  /** An application was marked deployed at least once; stays true when it is cleaned. */
  deployed: boolean
  commissionBps: number
  /** Final reports cover the time up to here; 0 if there is none. */
  reportedUntil: number
  /** Since when they show the node down without interruption; 0 if it was up. */
  downSince: number
  /** Downtime that the provider's pledge has additionally paid for so far. */
  creditedTwiceSeconds: number
}

/** Extracts the part of an order that its money is computed from. */
export function orderTerms(order: Order): OrderTerms & Pick<Order, 'createTime'> {
  return {
    status: order.status,
    createTime: order.createTime,
    ratePerMonthWei: order.ratePerMonthWei,
    totalValueWei: order.totalValueWei,
    remunerationWei: order.remunerationWei,
    activateTime: order.activateTime,
    duration: order.duration,
    downSeconds: order.downSeconds,
    holdbackSeconds: order.holdbackSeconds,
    penalty: order.penalty,
    probation: order.probation,
    userConfirm: order.userConfirm,
    deployed: order.deployTime > 0,
    commissionBps: order.commissionBps,
    reportedUntil: order.reportedUntil,
    downSince: order.downSince,
    creditedTwiceSeconds: secondsOf(order.compensatedWei, order.ratePerMonthWei),
  }
}

/** The seconds that an amount was paid for. While an order is open, its pledge has paid only for downtime. */
function secondsOf(wei: bigint, rate: bigint): number {
  return Number((wei * BigInt(MONTH_SECONDS) + rate - 1n) / rate)
}

/** Somebody's role towards an order. `visitor`: no wallet is connected. */
export type Who = 'buyer' | 'provider' | 'stranger' | 'visitor'

export function whoIs(order: Pick<Order, 'user' | 'provider'>, account: LowerCaseAddress | undefined): Who {
  if (account === undefined) return 'visitor'
  if (account === order.user) return 'buyer'
  return account === order.provider ? 'provider' : 'stranger'
}
