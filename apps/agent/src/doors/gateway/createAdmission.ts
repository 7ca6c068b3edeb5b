import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { visitorOf } from '../../foundation/arrival.ts'

/** Requests of one visitor in flight at one order. A browser makes six at a time to one origin. */
const MAX_PER_VISITOR = 64

/** A visitor who sends a body or reads a response slower than `leastBytes` per window blocks a slot that others wait for. */
export interface Pace {
  windowMs: number
  leastBytes: number
}
/** 500 bytes a second: the slowest usable connection is a hundred times faster. */
const PACE: Pace = { windowMs: 120_000, leastBytes: 60_000 }

/** Whether an exchange is waiting for its visitor, and how many bytes it has transferred. */
interface Progress {
  isReceiving: boolean
  isSending: boolean
  receivedBytes: number
  sentBytes: number
}

/** The request loses its connection when its body is given up, while the response goes on. */
interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  socket: Socket
  before?: Progress
}

/** Admits visitors to applications such that none can block an application for the others. */
export function createAdmission({ pace = PACE }: { pace?: Pace | undefined }) {
  const counts = new Map<string, number>()
  const exchanges = new Set<Exchange>()

  const count = (key: string, change: 1 | -1) => {
    const next = (counts.get(key) ?? 0) + change
    if (next > 0) counts.set(key, next)
    else counts.delete(key)
  }

  const judge = () => {
    for (const exchange of exchanges) {
      const now = progressOf(exchange)
      if (exchange.before && isTooSlow(exchange.before, now, pace.leastBytes)) exchange.socket.destroy()
      else exchange.before = now
    }
  }
  // Once what has arrived is read: this process may have been busy for the whole window.
  const watch = setInterval(() => setImmediate(judge), pace.windowMs).unref()

  return {
    /** True if the request may go to the order's application; it then holds its slot until it is answered or dropped. */
    admit(orderId: bigint, request: IncomingMessage, response: ServerResponse): boolean {
      const visitor = visitorOf(request)
      const key = visitor === undefined ? undefined : `${orderId} ${visitor}`
      if (key !== undefined && (counts.get(key) ?? 0) >= MAX_PER_VISITOR) return false
      if (response.destroyed) return false
      if (key !== undefined) count(key, 1)
      const exchange: Exchange = { request, response, socket: request.socket }
      exchanges.add(exchange)
      // From here on `watch` judges the visitor; the server's own timeout applies again with the next request on the connection.
      request.setTimeout(0)
      response.once('close', () => {
        if (key !== undefined) count(key, -1)
        exchanges.delete(exchange)
      })
      return true
    },
    close: () => clearInterval(watch),
  }
}

/** A visitor is not held responsible while the application does not read, or has nothing to send. */
function progressOf({ request, response, socket }: Exchange): Progress {
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
