import { droppedBy } from '@rackfair/rules/order/money'
import { type Order, orderTerms } from '@rackfair/rules/order/order'
import { OrderStatus, shownStatus } from '@rackfair/rules/order/status'
import { inProbation } from '@rackfair/rules/order/time'
import type { Tone } from '../../ui/tone.ts'

export type OrderWord =
  | 'none'
  | 'created'
  | 'active'
  | 'probation'
  | 'completed'
  | 'userCancelled'
  | 'providerCancelled'
  | 'probationRefunded'
  | 'expired'
  | 'notStarted'
  | 'away'

const STATES: Record<OrderStatus, { word: OrderWord; tone: Tone }> = {
  [OrderStatus.None]: { word: 'none', tone: 'off' },
  [OrderStatus.Created]: { word: 'created', tone: 'warn' },
  [OrderStatus.Active]: { word: 'active', tone: 'run' },
  [OrderStatus.Completed]: { word: 'completed', tone: 'idle' },
  [OrderStatus.UserCancelled]: { word: 'userCancelled', tone: 'off' },
  [OrderStatus.ProviderCancelled]: { word: 'providerCancelled', tone: 'bad' },
  [OrderStatus.ProbationRefunded]: { word: 'probationRefunded', tone: 'off' },
  [OrderStatus.Expired]: { word: 'expired', tone: 'warn' },
}

/** How the state of an order is shown to its provider at `now` (unix seconds). */
export function orderState(order: Order, now: number): { word: OrderWord; tone: Tone } {
  const status = shownStatus(order, now)
  const dropped = droppedBy(order, now)
  if (dropped) return { word: dropped === 'away' ? 'away' : 'notStarted', tone: 'bad' }
  if (status === OrderStatus.Active && inProbation(orderTerms(order), now)) return { word: 'probation', tone: 'run' }
  return STATES[status]
}
