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

const MAX_ANSWERS = 2_000

/**
 * The shortest path for a request that was just answered: the same URL from any caller, written straight to the socket. Everything else,
 * and every stale response, takes the normal path.
 */
export class FastPath {
  served = 0
  private readonly answers = new Map<string, HotAnswer>()
  private readonly context: HotParts

  constructor(context: HotParts) {
    this.context = context
  }

  keep(url: string, encodings: string, answer: HotAnswer): void {
    if (url.length > 500 || encodings.length > 60) return
    if (this.answers.size >= MAX_ANSWERS) this.answers.clear()
    this.answers.set(`${url}|${encodings}`, answer)
  }

  /** Answers and returns true, or leaves the request alone. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers } = request
    if (request.method !== 'GET' || headers.origin !== undefined) return false
    const key = `${request.url}|${headers['accept-encoding'] ?? ''}`
    const known = this.answers.get(key)
    if (!known) return false
    if (!known.holds()) {
      this.answers.delete(key)
      return false
    }
    if (!this.context.allows(request)) return false
    this.served += 1
    const block = String(this.context.block())
    const same = headers['if-none-match']?.includes(known.etag) ?? false
    const { 'content-length': _, 'content-encoding': __, ...bare } = known.headers
    response.writeHead(same ? 304 : 200, { ...this.context.common, ...(same ? bare : known.headers), 'x-rackfair-block': block })
    response.end(same ? undefined : known.body)
    return true
  }
}
