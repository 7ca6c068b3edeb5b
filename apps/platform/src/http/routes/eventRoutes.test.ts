import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import type { FeedListener } from '../../feed/ChangeFeed.ts'
import type { AppContext } from '../AppContext.ts'
import type { App } from '../defineRoute.ts'
import { createMetrics } from '../Metrics.ts'
import { eventRoutes } from './eventRoutes.ts'

it('closes a stream whose reader leaves more than a megabyte unread', async () => {
  const listeners = new Set<FeedListener>()
  const position = { block: 1, blockTime: 0, seq: 0, state: 'live', head: 1, seenAt: 0, reason: '' }
  const listen = (listener: FeedListener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const app: App = new OpenAPIHono()
  const context = { feed: { position, listen }, metrics: createMetrics(), settings: { trustedProxies: 0 } }
  eventRoutes(app, context as unknown as AppContext)
  await app.request('/v1/events')
  expect(listeners.size).toBe(1)
  const cp = '0x'.padEnd(42, '1')
  for (let seq = 1; seq < 20_000; seq += 1)
    for (const listener of listeners)
      await listener([{ seq, user: '', event: { type: 'provider', cp, block: 1 } } as never], position)
  expect(listeners.size).toBe(0)
})
