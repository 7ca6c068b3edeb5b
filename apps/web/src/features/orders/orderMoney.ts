import { accruedWei, OrderStatus, orderEnd, orderTerms, quoteUserCancel, shownStatus } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'

/** How the money of an order stands at a moment, in wei. `spent + back` is what was paid in. */
export interface OrderMoney {
  paidWei: bigint
  /** What the provider has earned: paid out and due, commission included. */
  spentWei: bigint
  /** What a cancel would bring back now, or what came back at the close. */
  backWei: bigint
  /** The part of `backWei` that credited downtime set aside. */
  downtimeWei: bigint
  /** What the provider's pledge paid on top. */
  compensatedWei: bigint
  ratePerHourWei: bigint
}

/** `now` in unix seconds. Live orders follow the contract's formula, closed ones what the chain booked. */
export function orderMoney(order: OrderWire, now: number): OrderMoney {
  const terms = orderTerms(order)
  const status = shownStatus(order, now)
  const base = {
    paidWei: terms.totalValue,
    compensatedWei: BigInt(order.compensated),
    ratePerHourWei: accruedWei(terms.rate, 3600n),
    downtimeWei: accruedWei(terms.rate, BigInt(order.down)),
  }
  const open = status === OrderStatus.Created || status === OrderStatus.Active || status === OrderStatus.Expired
  if (!open) return { ...base, spentWei: terms.remuneration, backWei: BigInt(order.refunded) }
  const { toUser } = quoteUserCancel(terms, Math.min(now, orderEnd(terms)), order.deployed)
  return { ...base, spentWei: terms.totalValue - toUser, backWei: toUser }
}
