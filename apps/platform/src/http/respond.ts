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
  const url = new URL(call.req.url)
  const wanted = Math.min(Number(url.searchParams.get('minBlock') ?? 0) || 0, Number.MAX_SAFE_INTEGER)
  url.searchParams.delete('minBlock')
  url.searchParams.sort()
  if (wanted > context.feed.position.block) await context.feed.reached(wanted, WAIT_MS)
  const block = Math.max(0, context.feed.position.block)
  const key = `${url.pathname}?${url.searchParams}`
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
