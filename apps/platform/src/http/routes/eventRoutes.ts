import { z } from '@hono/zod-openapi'
import { addressString } from '@rackfair/protocol/scalars'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { FeedChange, FeedListener, StoredEvent } from '../../feed/ChangeFeed.ts'
import { Backlog } from '../../limits/Backlog.ts'
import { CallerCounts } from '../../limits/CallerCounts.ts'
import { buyersOf } from '../../read/buyersOf.ts'
import type { AppContext } from '../AppContext.ts'
import { callerNetwork } from '../callerNetwork.ts'
import { type App, defineRoute } from '../defineRoute.ts'

const TOPICS = ['block', 'node', 'order', 'provider', 'deployment', 'presence'] as const
const MAX_STREAMS = 10_000
const MAX_STREAMS_PER_CALLER = 200
/** What may wait for the reader of one stream, and for all readers. */
const MAX_WAITING_BYTES = { each: 1_000_000, all: 64_000_000 }
const PULSE_MS = 15_000
const RETRY_MS = 1_000

export interface EventStreams {
  closeAll(): void
}

/** The event stream. Ids are positions in the feed, so an interrupted stream resumes where it was, on any process. */
export function eventRoutes(app: App, context: AppContext): EventStreams {
  const { feed, metrics } = context
  const open = new Set<() => void>()
  const counts = new CallerCounts({ perCaller: MAX_STREAMS_PER_CALLER, total: MAX_STREAMS })
  const backlog = new Backlog(MAX_WAITING_BYTES)
  const note = (drop: () => void, bytes: number) => {
    backlog.note(drop, bytes)
    metrics.streamsUnread.set(backlog.bytes)
  }
  const encoder = new TextEncoder()
  const encoded = (event: StoredEvent, id: number) =>
    encoder.encode(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  /** One copy of each change for all of its readers. */
  const copies = new WeakMap<FeedChange, Uint8Array>()
  const copyOf = (change: FeedChange) => {
    const copy = copies.get(change) ?? encoded(change.event, change.seq)
    copies.set(change, copy)
    return copy
  }

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/events',
      id: 'streamEvents',
      summary: 'What changed, as server-sent events; Last-Event-ID resumes',
      tag: 'events',
      query: z.object({ topics: z.string().max(100).optional(), user: addressString.optional() }),
      headers: z.object({ 'last-event-id': z.string().max(40).optional() }),
      answer: 'text/event-stream',
    },
    (call, { query, headers }) => {
      const topics = new Set((query.topics ?? TOPICS.join(',')).split(',').map((topic) => topic.trim()))
      if ([...topics].some((topic) => !(TOPICS as readonly string[]).includes(topic))) {
        throw new AppError('bad_request', `topics are ${TOPICS.join(', ')}`)
      }
      const release = counts.take(callerNetwork(call.env?.incoming, context.settings.trustedProxies))
      if (release === 'per_caller') {
        metrics.limited.inc({ limit: 'streams' })
        throw new AppError('rate_limited', 'too many streams are open from this address', { facts: { status: 429, seconds: 5 } })
      }
      if (release === 'total')
        throw new AppError('not_ready', 'too many streams are open', { facts: { status: 503 }, retryable: true })
      const users = query.user === undefined ? undefined : buyersOf(context.settings.deployment, lowerCaseAddress(query.user))
      const lastId = headers['last-event-id']
      const wants = ({ event, user: owner }: FeedChange) => {
        if (event.type === 'reset') return true
        if (!topics.has(event.type)) return false
        if (users === undefined || (event.type !== 'order' && event.type !== 'deployment')) return true
        const parties = [owner, event.type === 'order' ? event.provider : undefined]
        return users.some((user) => parties.includes(user))
      }

      let leave = () => false
      /** A reader who comes too late for what waits comes back, and resumes or reads anew. Without its connection, what waits is freed. */
      const drop = () => {
        if (leave()) call.env?.outgoing?.destroy()
      }
      const source = {
        start(controller: ReadableStreamDefaultController<Uint8Array>) {
          let sent = feed.position.seq
          let block = feed.position.block
          const writeBytes = (bytes: Uint8Array) => {
            try {
              controller.enqueue(bytes)
              note(drop, -(controller.desiredSize ?? 0))
            } catch {
              leave()
            }
          }
          const write = (text: string) => writeBytes(encoder.encode(text))
          /** Changes that arrive before the backlog has been sent. */
          let early: Parameters<FeedListener>[] | undefined
          const deliver = (...[changes, position]: Parameters<FeedListener>) => {
            if (early) return void early.push([changes, position])
            for (const change of changes) {
              if (change.seq <= sent) continue
              sent = change.seq
              if (wants(change)) writeBytes(copyOf(change))
            }
            if (position.block !== block && topics.has('block')) {
              block = position.block
              writeBytes(encoded({ type: 'block', block: Math.max(0, block), blockTime: position.blockTime }, sent))
            }
          }
          const stopListening = feed.listen(deliver)
          const pulse = setInterval(() => write(': pulse\n\n'), PULSE_MS)
          leave = () => {
            if (!open.delete(end)) return false
            release()
            clearInterval(pulse)
            stopListening()
            backlog.forget(drop)
            metrics.streams.set(open.size)
            return true
          }
          const end = () => {
            write(`retry: ${RETRY_MS}\n\n`)
            if (leave()) controller.close()
          }
          open.add(end)
          metrics.streams.set(open.size)
          write(`retry: ${RETRY_MS}\n\n`)
          if (lastId !== undefined) {
            const from = /^\d{1,15}$/.test(lastId) ? Number(lastId) : -1
            const waited: Parameters<FeedListener>[] = []
            early = waited
            void feed
              .since(from)
              .catch(() => undefined)
              .then((missed) => {
                if (!missed) writeBytes(encoded({ type: 'reset', block: Math.max(0, feed.position.block) }, sent))
                else for (const change of missed) if (wants(change)) writeBytes(copyOf(change))
                sent = missed?.at(-1)?.seq ?? sent
                early = undefined
                for (const one of waited) deliver(...one)
              })
          } else write(`id: ${sent}\n: from here\n\n`)
        },
        pull() {
          note(drop, 0)
        },
        cancel() {
          leave()
        },
      }
      // Without a strategy of its own a stream counts pieces, not bytes.
      const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: 0 }))
      return new Response(body, {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-cache, no-transform',
          'x-accel-buffering': 'no',
        },
      })
    },
  )
  return {
    closeAll() {
      for (const end of [...open]) end()
    },
  }
}
