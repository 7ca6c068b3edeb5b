import type { IncomingMessage, ServerResponse } from 'node:http'

/** An answer as it left, and how to tell that it still holds. */
export interface HotAnswer {
  holds: () => boolean
  etag: string
  headers: Record<string, string>
  body: Buffer
}

export interface HotParts {
  block: () => number
  /** False when the caller has used up its budget: the ordinary way then refuses it. */
  allows: (request: IncomingMessage) => boolean
  common: Record<string, string>
}

const MAX_ANSWERS = 2_000

/**
 * The shortest way for a question that was answered just now: the same URL from anybody, straight to the socket.
 * Everything else, and every answer that has gone stale, takes the ordinary way.
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

  /** Answers and says so, or leaves the request alone. */
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
