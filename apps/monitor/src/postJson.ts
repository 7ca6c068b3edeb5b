import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'

/** The answer was 429 or 503: whoever answers is there, but not now. */
export class BusyError extends Error {}
const BUSY = [429, 503]

/**
 * Posts JSON to an address and parses the JSON answer, `undefined` for any other status than 200. No DNS lookups, no redirects. Throws if
 * there is no answer within `timeoutMs`, or one larger than `maxBytes`, and `BusyError` for 429 and 503.
 */
export function postJson(
  target: { ip: string; port: number; path: string; tls: boolean },
  body: unknown,
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
): Promise<unknown> {
  const payload = JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const options = {
      ...{ host: target.ip, port: target.port, path: target.path, method: 'POST', agent: false as const },
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload), connection: 'close' },
      signal: AbortSignal.timeout(timeoutMs),
      maxHeaderSize: 8_192,
      // The signature identifies the machine; certificates for bare IP addresses are rare.
      rejectUnauthorized: false,
    }
    const request = (target.tls ? requestTls : requestPlain)(options, (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxBytes) request.destroy(new Error('the answer is too large'))
      })
      response.on('error', reject)
      response.on('end', () => {
        if (BUSY.includes(response.statusCode ?? 0)) return reject(new BusyError(`status ${response.statusCode}`))
        try {
          resolve(response.statusCode === 200 ? JSON.parse(text) : undefined)
        } catch (error) {
          reject(error)
        }
      })
    })
    request.on('error', reject)
    // Without a listener, an answer that switches protocols would end the request without a word.
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('the answer switches protocols'))
    })
    request.end(payload)
  })
}
