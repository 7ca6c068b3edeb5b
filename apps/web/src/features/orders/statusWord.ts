import type { Application, LatestDeployment } from '@rackfair/rules/deployment/actions'
import { OrderStatus } from '@rackfair/rules/order/status'
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

/**
 * The one word for an order that is not over: what its application does. Before its time runs, whose turn it is.
 * @example applicationWord(OrderStatus.Active, { state: 'none', fact: 'report' }, failed) // 'failed'
 */
export function applicationWord(status: OrderStatus, application: Application, latest: LatestDeployment): StatusWord {
  if (application.state === 'busy') return 'starting'
  if (application.state === 'unknown') return statusWord(status)
  if (application.state === 'none') return latest?.phase === 'Failed' ? 'failed' : 'ready'
  if (application.fact === 'report') {
    if (latest?.phase === 'Stopped') return 'stopped'
    if (latest?.phase === 'Finished') return 'finished'
    if (latest?.phase === 'Degraded') return 'degraded'
  }
  return statusWord(status)
}
