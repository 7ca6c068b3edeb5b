import type { OrderTerms } from './orderMoney.ts'
import type { OrderWire } from './wire/order.ts'

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
    feeBps: order.feeBps,
  }
}
