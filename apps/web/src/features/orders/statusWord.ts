import { OrderStatus } from '@rackfair/core'
import type { en } from './messages.en.ts'

export type StatusWord = keyof typeof en.status

/** The key of the word for a status that is shown. */
export function statusWord(status: OrderStatus): StatusWord {
  switch (status) {
    case OrderStatus.None:
    case OrderStatus.Created:
      return 'waiting'
    case OrderStatus.Active:
      return 'running'
    case OrderStatus.Expired:
      return 'expired'
    case OrderStatus.Completed:
      return 'completed'
    case OrderStatus.UserCancelled:
      return 'userCancelled'
    case OrderStatus.ProviderCancelled:
      return 'providerCancelled'
    case OrderStatus.ProbationRefunded:
      return 'probationRefunded'
  }
}
