import type { AppContext } from './AppContext.ts'
import type { Call } from './defineRoute.ts'
import { type Built, encoded, type Topic } from './ResponseCache.ts'

const WAIT_MS = 5_000

/** Answers a read from the representation cache, after the rows have reached the block that the caller asks for. */
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

  const { body, encoding } = await encoded(item, call.req.header('accept-encoding') ?? '')
  const etag = encoding ? item.etag.replace(/"$/, `-${encoding}"`) : item.etag
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept-encoding, origin',
    etag,
    'x-rackfair-block': String(block),
    ...item.headers,
  })
  const asked = call.req.header('if-none-match')
  if (asked?.includes(item.etag.slice(1, -1))) return new Response(null, { status: 304, headers })
  if (encoding) headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  if (wanted === 0 && call.env?.incoming?.url) {
    const holds = context.cache.watch(key, topics, item)
    const answer = { holds, etag: item.etag.slice(1, -1), headers: Object.fromEntries(headers), body }
    context.fastPath.keep(call.env.incoming.url, call.req.header('accept-encoding') ?? '', answer)
  }
  return new Response(new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length), { status: 200, headers })
}
