import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createProxyServer } from 'httpxy'
import type { Visit } from '../../orders/createVisits.ts'
import { forwardCookies, keepOurCookies } from './cookies.ts'
import type { Door } from './createSidePorts.ts'
import { isOtherDoor, parseUrl, type Targets } from './createTargets.ts'
import type { TerminalServer } from './createTerminal.ts'
import { forwardCredentials, keepOurCredentials } from './credentials.ts'
import { refuseUpgrade } from './lastWords.ts'
import { nameVisitor } from './nameVisitor.ts'
import type { OwnerSessions } from './ownerSessions.ts'

/** Opens WebSockets: of terminals, for the order's owner only, and of applications. */
export function createUpgrades(
  options: {
    visit: (orderId: bigint) => Visit | undefined
    sessions: OwnerSessions
    terminal: TerminalServer
  },
  { addressOf, targetOf }: Targets,
) {
  const { sessions, terminal } = options
  const withCredentials = new WeakSet<object>()
  const webSockets = createProxyServer({ proxyTimeout: 0 })
  webSockets.on('error', (_error, _request, socket) => socket?.destroy())
  // These listeners run before httpxy's own, which write out the headers.
  webSockets.on('proxyReqWs', (asked, request) => {
    for (const event of ['response', 'upgrade'])
      asked.on(event, (answer: IncomingMessage) => {
        keepOurCookies(answer.headers)
        if (withCredentials.has(request)) keepOurCredentials(answer)
      })
  })

  return async (request: IncomingMessage, socket: Duplex, head: Buffer, door: Door | undefined): Promise<void> => {
    const url = parseUrl(request.url)
    const address = addressOf(request)
    if (!address) return refuseUpgrade(socket, '421 Misdirected Request')
    const { origin } = address
    const { orderId, shared } = targetOf(request, address, door)
    const visit = orderId === undefined ? undefined : options.visit(orderId)
    if (!url || !visit || orderId === undefined || visit.phase !== 'Running' || !visit.upstream || isOtherDoor(door, visit))
      return refuseUpgrade(socket, '503 Service Unavailable')
    const isTerminal = url.pathname === '/.rackfair/terminal'
    if (isTerminal || visit.preset.wire.access === 'owner') {
      if (shared || request.headers.origin !== origin) return refuseUpgrade(socket, '403 Forbidden')
      if (!sessions.isOwner(request.headers, orderId, visit.user, origin)) return refuseUpgrade(socket, '401 Unauthorized')
    }
    if (isTerminal) {
      const command = visit.preset.app.terminal
      if (!command) return refuseUpgrade(socket, '404 Not Found')
      return terminal.upgrade(request, socket, head, orderId, command)
    }
    if (!visit.preset.app.port) return refuseUpgrade(socket, '404 Not Found')
    forwardCookies(request)
    nameVisitor(request)
    if (forwardCredentials(request)) withCredentials.add(request)
    await webSockets.ws(request, socket as Socket, { target: `http://${visit.upstream.address}:${visit.preset.app.port}` }, head)
  }
}
