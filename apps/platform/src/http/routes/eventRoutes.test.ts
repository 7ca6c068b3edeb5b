import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { serve } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it, onTestFinished, vi } from 'vitest'
import { onBothDatabases } from '../../../test/databases.ts'
import { ChangeFeed, type FeedListener } from '../../feed/ChangeFeed.ts'
import { insertChanges } from '../../store/insertChanges.ts'
import { inTransaction, openStore } from '../../store/openStore.ts'
import type { AppContext } from '../AppContext.ts'
import type { App, Env } from '../defineRoute.ts'
import { createMetrics } from '../Metrics.ts'
import { eventRoutes } from './eventRoutes.ts'

onBothDatabases((databases) => {
  it('sends events that arrive while it reads the past, once and in order', async () => {
    const store = await openStore(await databases.fresh())
    const feed = new ChangeFeed(store, 60_000)
    await feed.start()
    const happens = async (seq: number) => {
      const body = JSON.stringify({ type: 'provider', provider: '0x', block: seq })
      await inTransaction(store, (inside) => insertChanges(inside, [{ topic: 'provider', user: '', body }]))
      feed.wake()
      await vi.waitFor(() => expect(feed.position.seq).toBe(seq), { timeout: 60_000 })
    }
    await happens(1)
    await happens(2)
    const read = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const since = feed.since.bind(feed)
    feed.since = async (seq) => {
      const missed = await since(seq)
      read.resolve()
      await go.promise
      return missed
    }
    const app = new OpenAPIHono<Env>()
    const streams = eventRoutes(app, { feed, metrics: createMetrics(), settings: { trustedProxies: 0 } } as AppContext)
    onTestFinished(async () => {
      streams.closeAll()
      feed.close()
      await store.close()
    })
    const answer = await app.request('/v1/events?topics=provider', { headers: { 'last-event-id': '1' } })
    await read.promise
    await happens(3)
    go.resolve()
    await happens(4)
    streams.closeAll()
    const ids = [...(await answer.text()).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual([2, 3, 4])
  })
})

/** The streams on a server, with a feed that this test writes. */
async function serveStreams() {
  const listeners = new Set<FeedListener>()
  const position = { block: 1, blockTime: 0, seq: 0, state: 'live', head: 1, seenAt: 0, reason: '' }
  const listen = (listener: FeedListener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const app: App = new OpenAPIHono()
  const context = { feed: { position, listen }, metrics: createMetrics(), settings: { trustedProxies: 0 } }
  eventRoutes(app, context as unknown as AppContext)
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  let seq = 0
  return {
    listeners,
    connections: () => promisify(server.getConnections.bind(server))(),
    /** Opens a stream that nobody reads; it ends when the server ends it. */
    open: async () => {
      const socket = connect(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      const before = listeners.size
      socket.on('error', () => undefined)
      socket.pause().write('GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n')
      await vi.waitFor(() => expect(listeners.size).toBe(before + 1), { timeout: 60_000, interval: 5 })
    },
    /** Tells all streams of a thousand changes. */
    tell: async () => {
      const changes = Array.from({ length: 1000 }, () => {
        seq += 1
        return { seq, user: '', event: { type: 'provider', cp: '0x'.padEnd(42, '1'), block: 1 } } as never
      })
      for (const listener of [...listeners]) await listener(changes, position)
      await setImmediate()
    },
  }
}

it('ends the connection of a stream whose reader leaves more than a megabyte unread', async () => {
  const { listeners, connections, open, tell } = await serveStreams()
  await open()
  for (let round = 0; round < 200 && listeners.size > 0; round += 1) await tell()
  expect(listeners.size).toBe(0)
  // What waits is freed although nobody ever reads it.
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 60_000 })
})
