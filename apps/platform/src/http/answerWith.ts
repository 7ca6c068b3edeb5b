import type { Call } from './defineRoute.ts'
import { encoded, type Representation } from './ResponseCache.ts'

export interface Answer {
  response: Response
  /** What was sent besides the status; undefined if the caller already has the newest version. */
  sent: { headers: Headers; body: Buffer } | undefined
}

/** Sends a representation in an encoding that the caller accepts, or 304 if nothing has changed since its last request. */
export async function answerWith(
  call: Call,
  item: Representation,
  more: Record<string, string>,
  { compress = true, quality }: { compress?: boolean; quality?: number } = {},
): Promise<Answer> {
  const { body, encoding } = await encoded(item, compress ? (call.req.header('accept-encoding') ?? '') : '', quality)
  const etag = encoding ? item.etag.replace(/"$/, `-${encoding}"`) : item.etag
  const headers = new Headers({ 'cache-control': 'no-cache', etag, ...more })
  if (call.req.header('if-none-match')?.includes(item.etag.slice(1, -1)))
    return { response: new Response(null, { status: 304, headers }), sent: undefined }
  if (encoding) headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  const bytes = new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length)
  return { response: new Response(bytes, { headers }), sent: { headers, body } }
}
