import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket, Server as TcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '@rackfair/rules/errors/AppError'
import { directArrival, noteArrival } from '../../foundation/arrival.ts'
import { BACKLOG } from '../../foundation/newcomers.ts'
import type { Connections } from './createConnections.ts'
import { refuseUpgrade } from './lastWords.ts'

export const MAX_HEADERS = 100
export const MAX_HEADER_BYTES = 16_384
/** Timeout for a client to send its headers. */
const HEADERS_TIMEOUT_MS = 10_000
export const IDLE_TIMEOUT_MS = 120_000
const LIMITS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: 0,
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 15_000,
  // Detects visitors who vanished without closing, even while the application sends nothing.
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  // Other upgrades, such as `h2c`, are offers that a server may ignore.
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
}

export interface VisitorHandlers {
  request: (request: IncomingMessage, response: ServerResponse) => void
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>
}

/**
 * HTTP servers for untrusted clients: headers, time and connections are limited. `connections` is shared by all servers of a gateway. A
 * connection without traffic is cut after `idleMs`, until its request is admitted: from then on the application may take as long as it
 * likes.
 */
export function createVisitorServer(
  connections: Connections,
  handlers: VisitorHandlers,
  { isProxied, idleMs = IDLE_TIMEOUT_MS }: { isProxied: boolean; idleMs?: number | undefined },
): Server {
  const server = createServer(LIMITS, (request, response) => {
    connections.use(request, response)
    if (isPlain(request)) handlers.request(request, response)
    else response.writeHead(400, { connection: 'close', 'content-length': 0 }).end()
  })
  server.maxHeadersCount = MAX_HEADERS
  server.timeout = idleMs
  // Before a parser is made for it.
  const serve = server.listeners('connection')
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    noteArrival(socket, directArrival(socket, isProxied))
    if (!connections.add(socket)) socket.destroy()
    else for (const one of serve) one.call(server, socket)
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    ;(socket as Socket).setTimeout(0)
    if (!isPlain(request)) return refuseUpgrade(socket, '400 Bad Request')
    connections.upgrade(request)
    handlers.upgrade(request, socket, head).catch(() => socket.destroy())
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) socket.destroy()
    else refuseUpgrade(socket, statusOf(error.code))
  })
  return server
}

/** True for a plain path and at most one Host header: with more of either, two programs could disagree about whose request it is. */
function isPlain({ url, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  return url?.startsWith('/') === true && hosts.length <= 1
}

function statusOf(code: string | undefined): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout'
  return code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
}

/** Opens the port. Throws `conflict` if another program uses it. */
export function listen(server: TcpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' ? new AppError('conflict', `port ${port} of the gateway is in use`, { cause: error }) : error,
      ),
    )
    server.listen(port, host, BACKLOG, () => {
      server.removeAllListeners('error')
      server.on('error', () => {})
      resolve()
    })
  })
}
