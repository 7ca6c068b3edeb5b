import type { OrderTerms } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'

/** The part of an order that its money follows from. */
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
