import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, createServer, type Http2ServerRequest, type Http2ServerResponse, type Http2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { Connections } from './createConnections.ts'
import { IDLE_TIMEOUT_MS, MAX_HEADER_BYTES, MAX_HEADERS, type VisitorHandlers } from './createVisitorServer.ts'

/** An upload of 1 MiB in 30 ms: what a visitor may send before the application has read it. */
const WINDOW_BYTES = 1_048_576
const LIMITS = {
  settings: { maxConcurrentStreams: 100, maxHeaderListSize: MAX_HEADER_BYTES, initialWindowSize: WINDOW_BYTES },
  maxHeaderListPairs: MAX_HEADERS,
  /** In MB, of one visitor. */
  maxSessionMemory: 2,
}

/**
 * HTTP/2 for the handlers of an HTTP/1.1 server, with the same limits: each request counts for its connection. A request that waits for its
 * visitor, and a connection without one, is cut after `idleMs`.
 */
export function createSessionServer(
  connections: Connections,
  serve: VisitorHandlers['request'],
  idleMs: number = IDLE_TIMEOUT_MS,
) {
  const sockets = new Map<Http2Session, Socket>()
  const server = createServer(LIMITS, (asked, answered) => {
    const socket = sockets.get(asked.stream.session as Http2Session)
    if (!socket) return void asked.stream.close(constants.NGHTTP2_CANCEL)
    const [request, response] = asOlder(asked, answered, socket)
    asked.setTimeout(idleMs, () => asked.stream.close(constants.NGHTTP2_CANCEL))
    connections.use(request, response)
    if (isPlain(asked)) serve(request, response)
    else response.writeHead(400, { 'content-length': 0 }).end()
  })
  return {
    /** Serves a connection whose visitor has chosen HTTP/2. */
    take(socket: Socket): void {
      if (socket.destroyed || !connections.add(socket)) return void socket.destroy()
      const open = (session: Http2Session) => {
        sockets.set(session, socket)
        session.on('error', () => {})
        session.once('close', () => sockets.delete(session))
        session.setTimeout(idleMs, () => session.close())
        session.setLocalWindowSize(WINDOW_BYTES)
      }
      // It comes at once, or not at all.
      server.once('session', open).emit('connection', socket)
      server.off('session', open)
    },
    close(): void {
      for (const session of sockets.keys()) session.destroy()
    },
  }
}

/** What handlers of HTTP/1.1 read of a request and its response, and HTTP/2 lacks. */
function asOlder(request: Http2ServerRequest, response: Http2ServerResponse, socket: Socket): [IncomingMessage, ServerResponse] {
  const { stream, headers } = request
  if (headers[':authority'] !== undefined) headers.host ??= headers[':authority']
  Object.defineProperty(request, 'socket', { value: socket })
  Object.defineProperty(response, 'destroyed', { get: () => stream.destroyed })
  return [request as unknown as IncomingMessage, response as unknown as ServerResponse]
}

/** True for a plain path and one name: with two, two programs could disagree about whose request it is. */
const isPlain = ({ url, headers }: Http2ServerRequest): boolean =>
  url.startsWith('/') && headers.host !== undefined && headers.host === (headers[':authority'] ?? headers.host)
