import { z } from '@hono/zod-openapi'
import type { AppContext } from '../AppContext.ts'
import { type App, defineRoute } from '../defineRoute.ts'

const STALE_MS = 20_000
const stateAnswer = z.object({
  ready: z.boolean(),
  state: z.string(),
  block: z.number().int(),
  head: z.number().int(),
  reason: z.string(),
})

/** Whether answers are reliable: the indexer is at the head and has recently been active. */
export function readiness(context: Pick<AppContext, 'feed' | 'accepting'>): z.output<typeof stateAnswer> {
  const { block, head, state, seenAt, reason } = context.feed.position
  const fresh = Date.now() - seenAt < STALE_MS
  const ready = context.accepting() && fresh && state === 'live'
  const why = !context.accepting() ? 'stopping' : !fresh ? 'the indexer was not heard lately' : reason
  return { ready, state, block: Math.max(0, block), head, reason: ready ? '' : why }
}

export function stateRoutes(app: App, context: AppContext): void {
  const { metrics, feed, relay, cache } = context
  const tag = 'state'
  defineRoute(
    app,
    {
      method: 'get',
      path: '/healthz',
      id: 'getHealth',
      summary: 'The process answers',
      tag,
      answer: z.object({ ok: z.literal(true) }),
    },
    (call) => call.json({ ok: true as const }),
  )
  defineRoute(
    app,
    { method: 'get', path: '/readyz', id: 'getReadiness', summary: 'The answers are up to date', tag, answer: stateAnswer },
    (call) => {
      const state = readiness(context)
      call.header('cache-control', 'no-store')
      return call.json(state.ready ? state : { ...state, code: 'not_ready', message: state.reason }, state.ready ? 200 : 503)
    },
  )
  defineRoute(
    app,
    { method: 'get', path: '/metrics', id: 'getMetrics', summary: 'Prometheus metrics', tag, answer: 'text/plain' },
    async (call) => {
      metrics.block.set(Math.max(0, feed.position.block))
      metrics.head.set(feed.position.head)
      metrics.live.set(readiness(context).ready ? 1 : 0)
      metrics.agents.set(relay.connected)
      metrics.visitors.set(relay.visitors.connected)
      metrics.unread.set(relay.visitors.unreadBytes)
      metrics.cacheHits.set(cache.hits + context.fastPath.served)
      metrics.cacheMisses.set(cache.misses)
      return call.body(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType })
    },
  )
}
