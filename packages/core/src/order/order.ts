import { MONTH_SECONDS } from '../duration.ts'
import type { OrderWire } from '../wire/order.ts'

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
  feeBps: number
  /** Final reports speak of the time up to here; 0 if there is none. */
  reportedUntil: number
  /** Since when they say that the node is down without interruption; 0 if it was up. */
  downSince: number
  /** Seconds of downtime that the provider's pledge has paid once more so far. */
  creditedTwice: number
}

/** The part of an order as the platform tells it that its money follows from. */
export function orderTerms(order: OrderWire): OrderTerms {
  return {
    status: order.status,
    rate: BigInt(order.rate),
    totalValue: BigInt(order.totalValue),
    remuneration: BigInt(order.remuneration),
    activateTime: order.activateTime,
    duration: order.duration,
    down: order.down,
    holdback: order.holdback,
    penalty: order.penalty,
    probation: order.probation,
    userConfirm: order.UserConfirm,
    deployed: order.deployTime > 0,
    feeBps: order.feeBps,
    reportedUntil: order.reportedUntil,
    downSince: order.downSince,
    creditedTwice: secondsOf(BigInt(order.compensated), BigInt(order.rate)),
  }
}

/** The seconds that an amount was paid for. While an order is open its pledge has paid for nothing but downtime. */
function secondsOf(wei: bigint, rate: bigint): number {
  return Number((wei * BigInt(MONTH_SECONDS) + rate - 1n) / rate)
}

/** What somebody is to an order. `visitor`: nobody has connected a wallet. */
export type Who = 'buyer' | 'provider' | 'stranger' | 'visitor'

export function whoIs(order: Pick<OrderWire, 'user' | 'provider'>, address: string | undefined): Who {
  const account = address?.toLowerCase()
  if (account === undefined) return 'visitor'
  if (account === order.user.toLowerCase()) return 'buyer'
  return account === order.provider.toLowerCase() ? 'provider' : 'stranger'
}
