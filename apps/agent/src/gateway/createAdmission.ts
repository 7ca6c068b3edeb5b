import type { IncomingMessage, ServerResponse } from 'node:http'
import { visitorOf } from './visitorOf.ts'

/** Requests of one visitor that one order has in progress. A browser makes six at a time to one origin. */
const MAX_PER_VISITOR = 64

/** A visitor whose body, or whose reading of the answer, is slower than so many bytes in a window holds a place that others wait for. */
export interface Pace {
  windowMs: number
  leastBytes: number
}
/** 500 bytes a second: the slowest connection that somebody would use is a hundred times faster. */
const PACE: Pace = { windowMs: 120_000, leastBytes: 60_000 }

/** What an exchange waits for its visitor with, and how much has come and gone. */
interface Progress {
  isReceiving: boolean
  isSending: boolean
  receivedBytes: number
  sentBytes: number
}

/** Lets visitors to applications such that none of them can close one to the others. */
export function createAdmission({ tls, pace = PACE }: { tls: boolean; pace?: Pace | undefined }) {
  const counts = new Map<string, number>()
  const exchanges = new Map<IncomingMessage, { response: ServerResponse; before?: Progress }>()

  const count = (key: string, change: 1 | -1) => {
    const next = (counts.get(key) ?? 0) + change
    if (next > 0) counts.set(key, next)
    else counts.delete(key)
  }

  const watch = setInterval(() => {
    for (const [request, exchange] of exchanges) {
      const now = progressOf(request, exchange.response)
      if (exchange.before && isTooSlow(exchange.before, now, pace.leastBytes)) request.destroy()
      else exchange.before = now
    }
  }, pace.windowMs).unref()

  return {
    /** True if the request may go to the application of the order; it then has its place until it is answered or given up. */
    admit(orderId: bigint, request: IncomingMessage, response: ServerResponse): boolean {
      const visitor = visitorOf(request, tls)
      const key = visitor === undefined ? undefined : `${orderId} ${visitor}`
      if (key !== undefined && (counts.get(key) ?? 0) >= MAX_PER_VISITOR) return false
      if (response.destroyed) return false
      if (key !== undefined) count(key, 1)
      exchanges.set(request, { response })
      // From here on `watch` judges the visitor; the server's own time-out is back with the next request of the connection.
      request.socket.setTimeout(0)
      response.once('close', () => {
        if (key !== undefined) count(key, -1)
        exchanges.delete(request)
      })
      return true
    },
    close: () => clearInterval(watch),
  }
}

/** Where the application does not read, or has nothing to say, the visitor is not waited for. */
function progressOf(request: IncomingMessage, response: ServerResponse): Progress {
  const { socket } = request
  return {
    isReceiving: !request.complete && request.readableLength === 0,
    isSending: response.writableLength > 0,
    receivedBytes: socket.bytesRead,
    sentBytes: socket.bytesWritten - socket.writableLength,
  }
}

function isTooSlow(before: Progress, now: Progress, leastBytes: number): boolean {
  const received = now.receivedBytes - before.receivedBytes
  const sent = now.sentBytes - before.sentBytes
  return (
    (before.isReceiving && now.isReceiving && received < leastBytes) || (before.isSending && now.isSending && sent < leastBytes)
  )
}
