import type { MarketEvent } from '@rackfair/protocol/events'
import type { LiveTopic } from '../api/queryClient.ts'

export const EVENT_TYPES = [
  'block',
  'node',
  'provider',
  'order',
  'deployment',
  'presence',
  'reset',
] as const satisfies readonly MarketEvent['type'][]

/** The topics that one message of `/v1/events` touches. `reset` touches all and gives undefined. */
export function topicsOf(event: MarketEvent): readonly LiveTopic[] | undefined {
  switch (event.type) {
    case 'block':
      return ['block']
    case 'node':
      return ['node', `node:${event.cp}/${event.nodeId}`, `provider:${event.cp}`]
    case 'provider':
      return ['provider', `provider:${event.cp}`]
    case 'order':
      return ['order', `order:${event.orderId}`]
    case 'deployment':
      return ['deployment', `deployment:${event.deployment.orderId}`]
    case 'presence':
      return ['node', `provider:${event.cp}`]
    case 'reset':
      return undefined
  }
}
