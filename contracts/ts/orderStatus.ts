/** The values of Solidity's OrderStatus. Expired is a view of an Active order at or past its end. */
export const ORDER_STATUS = {
  None: 0,
  Created: 1,
  Active: 2,
  Completed: 3,
  UserCancelled: 4,
  ProviderCancelled: 5,
  ProbationRefunded: 6,
  Expired: 7,
} as const

export type OrderStatus = (typeof ORDER_STATUS)[keyof typeof ORDER_STATUS]
