import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { type Arrival, type ArrivalEdge, arrivalOf, noteArrival } from '../../foundation/arrival.ts'
import type { Log } from '../../foundation/log.ts'
import type { NewcomerPace } from '../../foundation/newcomers.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { sendJson } from '../../foundation/sendJson.ts'
import type { createHardwareTests } from '../../machine/hardware/createHardwareTests.ts'
import type { Visit } from '../../orders/createVisits.ts'
import type { createAttestations } from '../../uptime/createAttestations.ts'
import type { createAgentProof } from './agentProof.ts'
import { sendAsset } from './assets.ts'
import { forwardCookies } from './cookies.ts'
import { createAdmission, type Pace } from './createAdmission.ts'
import { type Connections, createConnections } from './createConnections.ts'
import { createEntrance } from './createEntrance.ts'
import { createSessionServer } from './createSessionServer.ts'
import { createSidePorts, type Door } from './createSidePorts.ts'
import { createTargets, isOtherDoor, parseUrl } from './createTargets.ts'
import type { TerminalServer } from './createTerminal.ts'
import type { Tickets } from './createTickets.ts'
import { createUpgrades } from './createUpgrades.ts'
import { createUpstreams } from './createUpstreams.ts'
import { createVisitorServer, listen, type VisitorHandlers } from './createVisitorServer.ts'
import { forwardCredentials, readCredentials, SESSION_PATH } from './credentials.ts'
import { nameVisitor } from './nameVisitor.ts'
import type { OwnerSessions } from './ownerSessions.ts'
import { sendPage } from './page.ts'
import { createPages, SHELL_PATH } from './pages.ts'

const HARDWARE_PATH = '/.rackfair/hardware/'
const OWN_AUTHORIZATION =
  'the request has an Authorization header of its own, which at an address without TLS is where the session of the owner is; use a provider with TLS, or let the application sign in with a cookie'

export interface GatewayOptions {
  config: AgentConfig['gateway']
  chainId: number
  /** Tells names of this agent's orders from another's in browsers on this machine; undefined if visitors come from elsewhere. */
  localInstance?: string | undefined
  /** The order that a renter's own domain leads to. */
  orderOfDomain?: ((name: string) => bigint | undefined) | undefined
  /** The origin of the market's web app. */
  market: string
  secret: string
  visit: (orderId: bigint) => Visit | undefined
  /** The order whose network has this number. */
  orderOfSlot: (slot: number) => bigint | undefined
  sessions: OwnerSessions
  tickets: Tickets
  terminal: TerminalServer
  /** Proves at the registered address whose agent this is. */
  proveAgent: ReturnType<typeof createAgentProof>
  /** Answers monitors at the registered address; undefined if monitors are not served. */
  attestations: ReturnType<typeof createAttestations> | undefined
  /** Lets monitors measure this machine; undefined if they may not. */
  hardware?: Pick<ReturnType<typeof createHardwareTests>, 'handle'> | undefined
  pace?: Pace | undefined
  /** Connections of all visitors together; monitors have a few more. */
  maxConnections?: number | undefined
  /** How fast connections may come, at all ports together. */
  newcomers?: NewcomerPace | undefined
  /** How long a connection that waits for its visitor may be silent, in milliseconds. */
  idleMs?: number | undefined
  /** Called with the status of each response. */
  onAnswer?: ((status: number) => void) | undefined
  log: Log
}

/** The entry point to this machine's applications, at the address that the provider registered on chain. */
export async function createGateway(options: GatewayOptions) {
  const { config, secret, sessions, tickets, terminal, log } = options
  const upstreams = createUpstreams((orderId) => options.visit(orderId)?.upstream)
  const admission = createAdmission({ pace: options.pace })
  const connections = createConnections({ max: options.maxConnections, newcomers: options.newcomers })
  const pages = createPages(options.market)
  const targets = createTargets(options)
  const upgrade = createUpgrades(options, targets)
  const entrance = createEntrance({
    config,
    secret,
    visit: options.visit,
    sessions,
    tickets,
    pages,
    sidePorts: () => sidePorts,
    localInstance: options.localInstance,
    log,
  })
  /** Answers everyone but the owner of a protected application; true if it answered. */
  const refuseStranger = (
    request: IncomingMessage,
    response: ServerResponse,
    { orderId, visit, origin, shared }: { orderId: bigint; visit: Visit; origin: string; shared: boolean },
  ): boolean => {
    if (shared) sendPage(request, response, pages.needsOrigin())
    else if (isForeign(request, origin)) sendJson(response, 403, { message: 'another site asks' })
    else if (sessions.isOwner(request.headers, orderId, visit.user, origin)) return false
    else if (!origin.startsWith('https:') && request.headers.authorization !== undefined && !readCredentials(request.headers))
      // Not 401: a browser would forget the session.
      sendJson(response, 403, { message: OWN_AUTHORIZATION })
    else if (request.method !== 'GET' && request.method !== 'HEAD') sendJson(response, 401, { message: 'sign in first' })
    else sendPage(request, response, pages.signIn(visit, sessions.challenge(orderId, origin)))
    return true
  }

  const handle = async (request: IncomingMessage, response: ServerResponse, door: Door | undefined): Promise<void> => {
    const url = parseUrl(request.url)
    if (!url) return sendPage(request, response, pages.notHere())
    const { edge } = arrivalOf(request.socket)
    if (edge?.isPlain) return toTls(request, response, edge, options.orderOfDomain)
    const endpoint = agentEndpoint(options, connections, url)
    if (endpoint) return endpoint(request, response)
    const address = targets.addressOf(request)
    if (!address)
      return url.pathname === '/healthz'
        ? sendJson(response, 200, { ok: true })
        : sendPage(request, response, pages.otherAddress())
    const { origin } = address
    if (!door && address.orderId === undefined) {
      if (url.pathname === '/' && url.searchParams.has('OrderId'))
        return entrance.enter(request, response, address, url.searchParams)
      if (url.pathname === '/.rackfair/open')
        return request.method === 'POST'
          ? entrance.open(request, response, address)
          : sendPage(request, response, pages.opening(url.search))
    }
    if (sendAsset(url.pathname, response)) return
    const { orderId, shared } = targets.targetOf(request, address, door)
    if (url.pathname === '/healthz' && orderId === undefined) return sendJson(response, 200, { ok: true })
    const visit = orderId === undefined ? undefined : options.visit(orderId)
    if (!visit || orderId === undefined)
      return sendPage(request, response, orderId === undefined ? pages.notHere() : pages.ended())
    if (isOtherDoor(door, visit)) return entrance.leave(response, address, orderId, visit)
    if (url.pathname === '/.rackfair/enter') return entrance.remember(request, response, String(orderId))
    if (url.pathname === '/.rackfair/sign-in' && request.method === 'POST')
      return entrance.signIn(request, response, { orderId, visit, origin })
    if (url.pathname.startsWith('/.rackfair/pass/') && !shared)
      return entrance.pass(request, response, url.pathname, { orderId, visit, origin })
    if (url.pathname === SESSION_PATH && !address.isSecure && !shared)
      return entrance.keep(request, response, { orderId, visit, origin })
    const { port, terminal: shell } = visit.preset.app
    const ours = url.pathname.startsWith('/.rackfair/')
    const wantsShell = shell !== undefined && (url.pathname === SHELL_PATH || (port === undefined && !ours))
    if (ours && !wantsShell) return sendJson(response, 404, { message: 'not found' })

    const isProtected = visit.preset.wire.access === 'owner'
    if (isProtected && refuseStranger(request, response, { orderId, visit, origin, shared })) return
    if (visit.phase === 'Failed') return sendPage(request, response, pages.failed(visit.code))
    if (visit.phase === 'Closed' || visit.phase === 'Cleaned' || visit.phase === 'Cleaning')
      return sendPage(request, response, pages.ended())
    if (visit.phase !== 'Running' || !visit.upstream) return sendPage(request, response, pages.starting(visit.phase))
    if (wantsShell) return sendPage(request, response, pages.terminal(visit))
    // A service worker of one order would serve the next order on the same port; a name is never reused.
    if (request.headers['service-worker'] !== undefined && address.orderId === undefined)
      return sendJson(response, 403, { message: 'service workers need a name of their own' })
    forwardCookies(request)
    const hasCredentials = forwardCredentials(request)
    if (port === undefined) return sendJson(response, 404, { message: 'not found' })
    if (!admission.admit(orderId, request, response)) return sendPage(request, response, pages.crowded())
    nameVisitor(request)
    const isKept = address.orderId !== undefined
    const to = { orderId, upstream: visit.upstream, port, isProtected, isKept, hasCredentials }
    upstreams.forward(request, response, to, (why) =>
      sendPage(request, response, why === 'silent' ? pages.silent(visit) : pages.crowded()),
    )
  }

  const handlersOf = (door?: Door): VisitorHandlers => ({
    request: (request, response) => {
      response.once('finish', () => options.onAnswer?.(response.statusCode))
      handle(request, response, door).catch((error: unknown) => {
        log.warn('a visit failed', { reason: reasonOf(error) })
        if (response.headersSent) response.destroy()
        else sendPage(request, response, pages.starting('Running'))
      })
    },
    upgrade: (request, socket, head) => upgrade(request, socket, head, door),
  })
  const makeServer = (door?: Door): Server =>
    createVisitorServer(connections, handlersOf(door), { isProxied: config.tls, idleMs: options.idleMs })

  const isLive = (slot: number) => options.orderOfSlot(slot) !== undefined
  const sidePorts = config.portRange ? createSidePorts(config.portRange, config.host, { makeServer, isLive }) : undefined
  const main = makeServer()
  const sessionServer = createSessionServer(connections, handlersOf().request, options.idleMs)
  await listen(main, config.port, config.host)
  return {
    port: config.port,
    /** Serves a connection, paused, that did not come to the port of this gateway. */
    receive(socket: Socket, arrival: Arrival): void {
      noteArrival(socket, arrival)
      if ((socket as TLSSocket).alpnProtocol === 'h2') sessionServer.take(socket)
      else {
        main.emit('connection', socket)
        socket.resume()
      }
    },
    async close() {
      terminal.close()
      sidePorts?.close()
      main.close()
      main.closeAllConnections()
      sessionServer.close()
      upstreams.close()
      admission.close()
    },
  }
}

/** Endpoints of the agent itself for the market and monitors, independent of what runs here. */
function agentEndpoint(
  { proveAgent, attestations, hardware }: GatewayOptions,
  connections: Connections,
  { pathname, searchParams }: URL,
) {
  if (pathname === '/.rackfair/agent')
    return (request: IncomingMessage, response: ServerResponse) => proveAgent(request, response, searchParams)
  if (attestations && pathname === '/.rackfair/attestation')
    return async (request: IncomingMessage, response: ServerResponse) => {
      await attestations.attestation(request, response)
      // Answered this way is only what a monitor with a bond has signed.
      if (response.statusCode === 200) connections.keep(request)
    }
  if (attestations && pathname === '/.rackfair/acknowledgement') return attestations.acknowledgement
  if (hardware && pathname.startsWith(HARDWARE_PATH))
    return (request: IncomingMessage, response: ServerResponse) =>
      hardware.handle(request, response, pathname.slice(HARDWARE_PATH.length))
  return undefined
}

/** Leads from the port for HTTP to the one for TLS, by the same name. */
function toTls(
  request: IncomingMessage,
  response: ServerResponse,
  { domain, tlsPort, proofOf }: ArrivalEdge,
  orderOfDomain: GatewayOptions['orderOfDomain'],
): void {
  const name = /^([a-z0-9.-]{1,253})(:\d+)?$/i.exec(request.headers.host ?? '')?.[1]?.toLowerCase()
  const proof = name === undefined ? undefined : proofOf?.(name, request.url ?? '')
  if (proof !== undefined) return void response.writeHead(200, { 'content-type': 'text/plain' }).end(proof)
  const isOurs = name !== undefined && (name === domain || name.endsWith(`.${domain}`) || orderOfDomain?.(name) !== undefined)
  if (!isOurs) return void response.writeHead(421, { connection: 'close', 'content-length': 0 }).end()
  const location = `https://${name}${tlsPort === 443 ? '' : `:${tlsPort}`}${request.url}`
  response.writeHead(308, { location, 'content-length': 0 }).end()
}

/** True for requests made by a page of another origin, except when a person follows a link: ports of one host share cookies. */
function isForeign(request: IncomingMessage, origin: string): boolean {
  const { origin: asker, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': target } = request.headers
  if (asker !== undefined && asker !== origin) return true
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  return mode !== 'navigate' || target !== 'document'
}
