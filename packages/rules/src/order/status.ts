import { START_SECONDS } from '../duration.ts'

/** The status numbers of the Market contract. 7 is a view: Active and past its end. */
export const OrderStatus = {
  None: 0,
  Created: 1,
  Active: 2,
  Completed: 3,
  UserCancelled: 4,
  ProviderCancelled: 5,
  ProbationRefunded: 6,
  Expired: 7,
} as const
export type OrderStatus = (typeof OrderStatus)[keyof typeof OrderStatus]

/** True once nothing about the order can change any more. */
export function isTerminal(status: number): boolean {
  return status >= OrderStatus.Completed && status <= OrderStatus.ProbationRefunded
}

/** The status to display at `now` (unix seconds): an Active order past its end is Expired. */
export function shownStatus(order: { status: number; activateTime: number; duration: number }, now: number): OrderStatus {
  const expired = order.status === OrderStatus.Active && now >= order.activateTime + order.duration
  return (expired ? OrderStatus.Expired : order.status) as OrderStatus
}

/** Where an order is in its life. `start_missed`: it was not started in time, so anyone can have it refunded. */
export type Standing = 'startable' | 'start_missed' | 'active' | 'expired' | 'closed'

/** What an order entitles its buyer to at `now` (unix seconds). `createTime` is the purchase. */
export function standingOf(
  order: { status: number; createTime: number; activateTime: number; duration: number },
  now: number,
): Standing {
  switch (shownStatus(order, now)) {
    case OrderStatus.Created:
      return now < order.createTime + START_SECONDS ? 'startable' : 'start_missed'
    case OrderStatus.Active:
      return 'active'
    case OrderStatus.Expired:
      return 'expired'
    default:
      return 'closed'
  }
}

/** True while an order gives its buyer the machine. */
export function isLive(standing: Standing): boolean {
  return standing === 'active' || standing === 'startable'
}
