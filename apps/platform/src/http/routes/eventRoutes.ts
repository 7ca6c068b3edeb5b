import { z } from '@hono/zod-openapi'
import { addressString } from '@rackfair/protocol/scalars'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { FeedChange } from '../../feed/ChangeFeed.ts'
import { CallerCounts } from '../../limits/CallerCounts.ts'
import { buyersOf } from '../../read/buyersOf.ts'
import type { AppContext } from '../AppContext.ts'
import { callerNetwork } from '../callerNetwork.ts'
import { type App, defineRoute } from '../defineRoute.ts'
import { EventStreams } from '../EventStreams.ts'

const TOPICS = ['block', 'node', 'order', 'provider', 'deployment', 'presence'] as const
const MAX_STREAMS = 10_000
const MAX_STREAMS_PER_CALLER = 200

/** The event stream. Ids are positions in the feed, so an interrupted stream resumes where it was, on any process. */
export function eventRoutes(app: App, context: AppContext): EventStreams {
  const { settings, metrics } = context
  const counts = new CallerCounts({ perCaller: MAX_STREAMS_PER_CALLER, total: MAX_STREAMS })
  const streams = new EventStreams(context)
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
      const release = counts.take(callerNetwork(call.env?.incoming, settings.trustedProxies))
      if (release === 'per_caller') {
        metrics.limited.inc({ limit: 'streams' })
        throw new AppError('rate_limited', 'too many streams are open from this address', { facts: { status: 429, seconds: 5 } })
      }
      if (release === 'total')
        throw new AppError('not_ready', 'too many streams are open', { facts: { status: 503 }, retryable: true })
      const users = query.user === undefined ? undefined : buyersOf(settings.deployment, lowerCaseAddress(query.user))
      const isWanted = ({ event, user: owner }: FeedChange) => {
        if (event.type === 'reset') return true
        if (!topics.has(event.type)) return false
        if (users === undefined || (event.type !== 'order' && event.type !== 'deployment')) return true
        const parties = [owner, event.type === 'order' ? event.provider : undefined]
        return users.some((user) => parties.includes(user))
      }
      const body = streams.body(
        { isWanted, blocks: topics.has('block'), lastId: headers['last-event-id'] },
        { onEnd: release, cut: () => void call.env?.outgoing?.destroy() },
      )
      return new Response(body, {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-cache, no-transform',
          'x-accel-buffering': 'no',
        },
      })
    },
  )
  return streams
}
