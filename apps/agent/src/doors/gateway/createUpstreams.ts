import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Pool } from 'undici'
import type { Upstream } from '../../runtime/Runtime.ts'
import { keepOurCookies } from './cookies.ts'
import { keepOurCredentials } from './credentials.ts'

const CONNECTIONS = 256
/** Requests that may wait for a connection to their application. */
const MAX_WAITING = 256
const CONNECT_TIMEOUT_MS = 5000
const SWEEP_MS = 2000
/** Hop-by-hop headers (RFC 9110, 7.6.1; RFC 9113, 8.2.2); `expect` has already been answered by this server. */
const HOP_BY_HOP =
  'connection keep-alive proxy-connection te trailer transfer-encoding upgrade http2-settings expect :authority :method :path :scheme'.split(
    ' ',
  )

/**
 * Forwards requests to applications over keep-alive connections. Every start of a container has its own connections: those to an earlier
 * one are closed as soon as `current` names another, since they lead nowhere, or to another application.
 */
export function createUpstreams(current: (orderId: bigint) => Upstream | undefined) {
  const pools = new Map<bigint, { start: string; pool: Pool; waiting: number }>()

  const drop = (orderId: bigint) => {
    pools
      .get(orderId)
      ?.pool.destroy()
      .catch(() => {})
    pools.delete(orderId)
  }
  const poolOf = (orderId: bigint, { address, start }: Upstream, port: number) => {
    const there = pools.get(orderId)
    if (there?.start === start) return there
    drop(orderId)
    const pool = new Pool(`http://${address}:${port}`, {
      connections: CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const made = { start, pool, waiting: 0 }
    pools.set(orderId, made)
    return made
  }
  const sweep = setInterval(() => {
    for (const [orderId, { start }] of pools) if (current(orderId)?.start !== start) drop(orderId)
  }, SWEEP_MS).unref()

  return {
    /** Streams a request to the application and the response back; calls `none` if there is no application, or too many requests wait. */
    forward(
      request: IncomingMessage,
      response: ServerResponse,
      to: {
        orderId: bigint
        upstream: Upstream
        port: number
        isProtected: boolean
        isKept: boolean
        hasCredentials: boolean
      },
      none: (why: 'silent' | 'crowded') => void,
    ): void {
      const upstream = poolOf(to.orderId, to.upstream, to.port)
      // Includes requests whose visitor has left: they stay queued until their turn.
      if (upstream.waiting >= MAX_WAITING) {
        none('crowded')
        return
      }
      let isWaiting = true
      upstream.waiting += 1
      const isServed = () => {
        if (isWaiting) upstream.waiting -= 1
        isWaiting = false
      }
      let bodyBegan = false
      const hasBody = bodyFollows(request)
      const call = {
        path: request.url ?? '/',
        method: request.method ?? 'GET',
        headers: withoutHops(request.headers),
        body: hasBody ? request : null,
      }
      upstream.pool.dispatch(call, {
        onRequestStart(controller) {
          isServed()
          const leave = () => {
            if (!response.writableEnded) controller.abort(new Error('the visitor has left'))
          }
          if (response.destroyed) leave()
          else response.once('close', leave)
        },
        onResponseStart(_controller, statusCode, headers) {
          if (statusCode < 200) return
          const answer = { statusCode, headers }
          if (to.hasCredentials) keepOurCredentials(answer)
          response.writeHead(answer.statusCode, responseHeaders(answer.headers, to))
          // The first event of a stream may come long after its headers.
          process.nextTick(() => bodyBegan || response.flushHeaders())
        },
        onResponseData(controller, chunk) {
          bodyBegan = true
          if (response.write(chunk)) return
          controller.pause()
          response.once('drain', () => controller.resume())
        },
        onResponseEnd() {
          bodyBegan = true
          response.end()
        },
        onResponseError() {
          isServed()
          if (response.headersSent || response.destroyed) response.destroy()
          else none('silent')
        },
      })
    },
    close() {
      clearInterval(sweep)
      for (const orderId of pools.keys()) drop(orderId)
    },
  }
}

/** `isKept`: whether the origin is never reused by another order, so that a browser may cache what it loaded from there. */
function responseHeaders(
  answer: IncomingHttpHeaders,
  { isProtected, isKept }: { isProtected: boolean; isKept: boolean },
): OutgoingHttpHeaders {
  const headers = withoutHops(answer)
  keepOurCookies(headers)
  // Otherwise a cached page of this tenant would be shown as the next one's, and revalidated by a date or tag of its choice.
  if (!isKept) headers['cache-control'] = 'no-store'
  delete headers['service-worker-allowed']
  if (isProtected) shutIn(headers)
  return headers
}

/**
 * Prevents pages of other origins from framing or reading a protected application, even where browsers do not identify the requester: they
 * send `Sec-Fetch-Site` over TLS only. A second policy is enforced in addition to the application's; `frame-ancestors` overrides
 * `X-Frame-Options`.
 */
function shutIn(headers: IncomingHttpHeaders): void {
  const framers = /deny/i.test(String(headers['x-frame-options'])) ? "'none'" : "'self'"
  const policies = [headers['content-security-policy'] ?? []].flat()
  headers['content-security-policy'] = [...policies, `frame-ancestors ${framers}`].join(', ')
  headers['cross-origin-resource-policy'] = 'same-origin'
}

function withoutHops(all: IncomingHttpHeaders): IncomingHttpHeaders {
  const headers = { ...all }
  const { connection } = headers
  if (connection !== undefined && connection !== 'keep-alive' && connection !== 'close')
    for (const name of String(connection).split(',')) delete headers[name.trim().toLowerCase()]
  for (const name of HOP_BY_HOP) delete headers[name]
  return headers
}

/** Over HTTP/2 a body needs no header that announces it. */
function bodyFollows(request: IncomingMessage): boolean {
  const { stream } = request as { stream?: { endAfterHeaders: boolean } }
  if (stream) return !stream.endAfterHeaders
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
}
