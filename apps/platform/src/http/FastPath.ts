import type { IncomingMessage, ServerResponse } from 'node:http'

/** A response as sent, and how to tell whether it is still current. */
export interface HotAnswer {
  holds: () => boolean
  etag: string
  headers: Record<string, string>
  body: Buffer
}

export interface HotParts {
  block: () => number
  /** False if the caller has used up its budget: the normal path then refuses it. */
  allows: (request: IncomingMessage) => boolean
  common: Record<string, string>
}

interface Kept extends HotAnswer {
  /** Made when it is first sent again. */
  sent?: Sent
}

/** As Node writes it in one piece, with its headers before it: a byte for each character. */
interface Sent {
  text: string
  block: number
  /** Names and values in turn. */
  headers: string[]
}

const MAX_ANSWERS = 2_000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * The shortest path for a request that was just answered: the same URL from any caller, written straight to the socket. Everything else,
 * and every stale response, takes the normal path. Bounded in number and bytes, evicting the oldest: anybody can invent URLs.
 */
export class FastPath {
  served = 0
  private readonly answers = new Map<string, Kept>()
  private readonly context: HotParts
  private bytes = 0

  constructor(context: HotParts) {
    this.context = context
  }

  keep(url: string, encodings: string, answer: HotAnswer): void {
    if (url.length > 500 || encodings.length > 60) return
    const key = `${url}|${encodings}`
    this.drop(key)
    if (answer.body.length > MAX_BYTES) return
    this.answers.set(key, { ...answer })
    this.bytes += answer.body.length
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= MAX_ANSWERS && this.bytes <= MAX_BYTES) break
      this.drop(oldest)
    }
  }

  /** Answers and returns true, or leaves the request alone. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers } = request
    if (request.method !== 'GET' || headers.origin !== undefined) return false
    const key = `${request.url}|${headers['accept-encoding'] ?? ''}`
    const known = this.answers.get(key)
    if (!known) return false
    if (!known.holds()) {
      this.drop(key)
      return false
    }
    if (!this.context.allows(request)) return false
    this.served += 1
    if (headers['if-none-match']?.includes(known.etag)) this.sendUnchanged(known, response)
    else this.send(known, response)
    return true
  }

  private send(known: Kept, response: ServerResponse): void {
    const block = this.context.block()
    if (known.sent?.block !== block) {
      const headers = Object.entries({ ...this.context.common, ...known.headers, 'x-rackfair-block': String(block) }).flat()
      known.sent = { text: known.sent?.text ?? known.body.toString('latin1'), block, headers }
    }
    response.writeHead(200, known.sent.headers)
    response.end(known.sent.text, 'latin1')
  }

  private sendUnchanged(known: Kept, response: ServerResponse): void {
    const { 'content-length': _, 'content-encoding': __, ...bare } = known.headers
    response.writeHead(304, { ...this.context.common, ...bare, 'x-rackfair-block': String(this.context.block()) })
    response.end()
  }

  private drop(key: string): void {
    this.bytes -= this.answers.get(key)?.body.length ?? 0
    this.answers.delete(key)
  }
}
