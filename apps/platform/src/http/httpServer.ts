import { createServer, type IncomingMessage, type RequestListener, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createAdaptorServer } from '@hono/node-server'
import { refuseUpgrade } from '../limits/lastWords.ts'
import { SettingsError } from '../settings/parseSettings.ts'
import type { Settings } from '../settings/Settings.ts'
import type { App } from './defineRoute.ts'
import type { FastPath } from './FastPath.ts'

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void
export type HttpServer = ReturnType<typeof createHttpServer>

/**
 * A connection waits for its next request for longer than any usual proxy keeps one: nginx and load balancers 60 s, Go's transport 90, Caddy 120.
 * Where the server is the first to close, a request on its way meets a closed connection, and is answered with 502 for no fault of anybody.
 * The other times count from the first byte of a request.
 */
const TIMES = { keepAliveTimeout: 130_000, requestTimeout: 30_000, headersTimeout: 15_000 }

/** The routes behind the fast path, and the two WebSockets: for agents, and for workspaces. */
export function createHttpServer(app: App, fastPath: FastPath, upgrades: { relay: Upgrade; workspace: Upgrade }) {
  const server = createAdaptorServer({
    fetch: app.fetch,
    createServer: ((options: ServerOptions, listener: RequestListener) =>
      createServer(
        options,
        (request, response) => void (fastPath.answer(request, response) || listener(request, response)),
      )) as typeof createServer,
    serverOptions: { ...TIMES, maxHeaderSize: 16_384 },
  })
  server.on('upgrade', (request, socket, head) => {
    // A caller that is refused may reset its connection; without a listener the process would end.
    socket.on('error', () => socket.destroy())
    const path = request.url?.split('?')[0] ?? ''
    if (path === '/v1/relay') upgrades.relay(request, socket, head)
    else if (path.startsWith('/v1/workspace/')) upgrades.workspace(request, socket, head)
    else refuseUpgrade(socket, '404 Not Found')
  })
  return server
}

/** The port, once the server is listening. */
export async function listen(server: HttpServer, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new SettingsError(`port ${port} of ${host} is in use`) : error
  })
  // A connection that cannot be accepted, as where files run out, is one visitor's.
  server.on('error', () => {})
  return (server.address() as AddressInfo).port
}

/** Resolves when every response has been sent, and cuts off the rest after `drainMs`. `close` must have been called before. */
export function drained(server: HttpServer, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      if ('closeAllConnections' in server) server.closeAllConnections()
      resolve()
    }, drainMs)
    server.once('close', () => {
      clearTimeout(late)
      resolve()
    })
    if (!server.listening && !('connections' in server && server.connections)) {
      clearTimeout(late)
      resolve()
    }
  })
}
