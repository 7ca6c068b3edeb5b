import { routePath } from 'hono/route'
import type { AppContext } from './AppContext.ts'
import { answerWith } from './answerWith.ts'
import type { Call } from './defineRoute.ts'
import type { Built, Topic } from './ResponseCache.ts'

const WAIT_MS = 5_000

/** Answers a read from the response cache, after the rows have reached the block that the caller requests. */
export async function respond(
  call: Call,
  context: AppContext,
  topics: readonly Topic[],
  build: () => Promise<Built> | Built,
): Promise<Response> {
  const key = questionOf(call)
  const wanted = Math.min(Number(call.req.query('minBlock') ?? 0) || 0, Number.MAX_SAFE_INTEGER)
  if (wanted > context.feed.position.block) await context.feed.reached(wanted, WAIT_MS)
  const block = Math.max(0, context.feed.position.block)
  const item = await context.cache.get(key, topics, Math.min(wanted, block), block, build)

  const { response, sent } = await answerWith(call, item, {
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding, origin',
    'x-rackfair-block': String(block),
    ...item.headers,
  })
  if (sent && wanted === 0 && call.env?.incoming?.url) {
    const holds = context.cache.watch(key, topics, item)
    const answer = { holds, etag: item.etag.slice(1, -1), headers: Object.fromEntries(sent.headers), body: sent.body }
    context.fastPath.keep(call.env.incoming.url, call.req.header('accept-encoding') ?? '', answer)
  }
  return response
}

/** What is asked, however it is written: strangers can add parameters, or write the same number otherwise, to have all of it built anew. */
function questionOf(call: Call): string {
  const valid = (target: 'param' | 'query') => (call.req.valid(target as never) ?? {}) as Record<string, unknown>
  const { minBlock: _, ...query } = valid('query')
  const inOrder = (values: object) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([routePath(call), inOrder(valid('param')), inOrder(query)])
}
