import type { Call } from './defineRoute.ts'
import { encoded, type Representation } from './ResponseCache.ts'

export interface Answer {
  response: Response
  /** What was sent beside the status; undefined where the caller has the newest already. */
  sent: { headers: Headers; body: Buffer } | undefined
}

/** Sends a representation as the caller can read it, or says that nothing has changed since it asked last. */
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
