import type { IncomingMessage, ServerResponse } from 'node:http'
import { toAddress } from '@rackfair/rules/address'
import { knowsLocalNames } from '@rackfair/rules/deployment/visitUrl'
import { AppError } from '@rackfair/rules/errors/AppError'
import { type AgentConfig, originOfName } from '../../config/agentConfig.ts'
import { localName } from '../../config/localNames.ts'
import { arrivalOf, visitorOf } from '../../foundation/arrival.ts'
import type { Log } from '../../foundation/log.ts'
import { readJson } from '../../foundation/readJson.ts'
import { sendJson } from '../../foundation/sendJson.ts'
import type { Visit } from '../../orders/createVisits.ts'
import { statusOfCode } from '../statusOfCode.ts'
import { openValue, readCookies, setCookie, signValue, visitCookie } from './cookies.ts'
import type { Address } from './createAddresses.ts'
import type { SidePorts } from './createSidePorts.ts'
import type { Tickets } from './createTickets.ts'
import { CHALLENGE } from './credentials.ts'
import type { OwnerSession, OwnerSessions } from './ownerSessions.ts'
import { sendPage } from './page.ts'
import type { Pages } from './pages.ts'

const VISIT_SECONDS = 7 * 86_400
const MAX_SIGN_IN_BYTES = 20_000

/** An order, its visit and the order's own origin that a browser enters. */
interface Entered {
  orderId: bigint
  visit: Visit
  origin: string
}

/** Leads a visitor from the Visit link to the application's own origin, and lets its owner in there. */
export function createEntrance(options: {
  config: AgentConfig['gateway']
  secret: string
  visit: (orderId: bigint) => Visit | undefined
  sessions: OwnerSessions
  tickets: Tickets
  pages: Pages
  sidePorts: () => SidePorts | undefined
  localInstance: string | undefined
  log: Log
}) {
  const { config, secret, sessions, tickets, pages, log } = options
  const namedOriginOf = createNamedOrigins(config, options.localInstance)

  const cookiesOf = (session: OwnerSession): string[] =>
    'cookie' in session
      ? [setCookie(session.cookie.name, session.cookie.value, { maxAgeSeconds: session.cookie.maxAgeSeconds, secure: true })]
      : []

  /** The order's own port as an origin. Ports of this machine are not those of an edge. */
  const portOriginOf = async (visit: Visit, address: Address): Promise<string | undefined> => {
    const port = address.edge ? undefined : await options.sidePorts()?.open(visit.slot, visit.preset.wire.access)
    return port === undefined ? undefined : `${schemeOf(address)}://${address.hostname}:${port}`
  }

  /** Another order on the same origin must not find what the previous one stored in the browser. */
  const remember = (request: IncomingMessage, response: ServerResponse, order: string): void => {
    const secure = arrivalOf(request.socket).tls
    const before = openValue(readCookies(request.headers.cookie).get(visitCookie(secure)), secret)
    const cookie = setCookie(visitCookie(secure), signValue(order, secret), { maxAgeSeconds: VISIT_SECONDS, secure })
    redirect(response, '/', [cookie], before !== undefined && before !== order)
  }

  return {
    remember,

    /** Handles the specification's Visit link: checks and remembers it, and redirects to the application's own origin. */
    async enter(request: IncomingMessage, response: ServerResponse, address: Address, query: URLSearchParams): Promise<void> {
      const order = query.get('OrderId') ?? ''
      const user = query.get('UserAddress') ?? ''
      const visit = /^(0|[1-9]\d{0,19})$/.test(order) ? options.visit(BigInt(order)) : undefined
      if (!visit) return sendPage(request, response, pages.notHere())
      if (toAddress(user) !== visit.user) return sendPage(request, response, pages.mismatch())
      const named = namedOriginOf(visit, address, request)
      if (named !== undefined) return redirect(response, `${named}/`, [])
      const origin = await portOriginOf(visit, address)
      if (origin !== undefined) return redirect(response, `${origin}/.rackfair/enter?order=${order}`, [])
      if (config.portRange && !address.edge) log.warn('no port of the range is free; using the shared origin', { orderId: order })
      remember(request, response, order)
    },

    /** Redirects from a port that is not this application's back to the Visit link, which leads to the right one. */
    leave(response: ServerResponse, address: Address, orderId: bigint, visit: Visit): void {
      redirect(
        response,
        `${schemeOf(address)}://${address.hostname}:${config.port}/?OrderId=${orderId}&UserAddress=${visit.user}`,
        [],
      )
    },

    /** Takes a ticket from the market's page and returns the URL at which the order's application opens for this browser, once. */
    async open(request: IncomingMessage, response: ServerResponse, address: Address): Promise<void> {
      await answer(response, async () => {
        if (request.headers.origin !== undefined && request.headers.origin !== address.origin)
          throw new AppError('order_not_owned', 'another site cannot sign in here')
        const owned = await tickets.take(await readJson(request, MAX_SIGN_IN_BYTES), {
          gateway: address.origin,
          visitor: visitorOf(request),
          ownerOf: (orderId) => options.visit(orderId)?.user,
        })
        const visit = options.visit(owned.orderId)
        const origin = visit && (namedOriginOf(visit, address, request) ?? (await portOriginOf(visit, address)))
        if (!origin) throw new AppError('preset_needs_origin', 'this provider has no address of its own for each order')
        return { to: origin + tickets.pass(owned, origin) }
      })
    },

    /** Takes a pass issued by `open`: signs the owner in at the application's origin. Without a valid one, the sign-in page is shown. */
    pass(request: IncomingMessage, response: ServerResponse, path: string, { orderId, visit, origin }: Entered): void {
      const isValid = tickets.usePass(path, { orderId, user: visit.user }, origin)
      const session = isValid ? sessions.open(orderId, visit.user, origin) : undefined
      if (!session) redirect(response, '/', [])
      else if ('cookie' in session) redirect(response, '/', cookiesOf(session))
      else sendPage(request, response, pages.entering(session.credentials))
    },

    /** Has a browser without a session, or with another one, use the credentials that its page gave it. */
    keep(request: IncomingMessage, response: ServerResponse, { orderId, visit, origin }: Entered): void {
      const isKept = sessions.isOwner(request.headers, orderId, visit.user, origin)
      response.writeHead(isKept ? 204 : 401, {
        'cache-control': 'no-store',
        ...(isKept ? {} : { 'www-authenticate': CHALLENGE }),
      })
      response.end()
    },

    /** The gateway's own sign-in page. */
    async signIn(request: IncomingMessage, response: ServerResponse, { orderId, visit, origin }: Entered): Promise<void> {
      await answer(response, async () => {
        if (request.headers.origin !== undefined && request.headers.origin !== origin)
          throw new AppError('order_not_owned', 'another site cannot sign in here')
        const body = await readJson(request, MAX_SIGN_IN_BYTES)
        const session = await sessions.signIn(body, { orderId, user: visit.user, origin, visitor: visitorOf(request) })
        if (!('cookie' in session)) return session
        response.setHeader('set-cookie', cookiesOf(session))
        return {}
      })
    },
  }
}

const schemeOf = ({ isSecure }: Address) => (isSecure ? 'https' : 'http')

/** The origin of an order's own name; undefined if it has none, or the browser does not know it. */
function createNamedOrigins(config: AgentConfig['gateway'], localInstance: string | undefined) {
  return ({ orderId }: Visit, address: Address, { headers }: IncomingMessage): string | undefined => {
    if (address.edge) {
      const { domain, tlsPort, hasTls } = address.edge
      return hasTls ? `https://o-${orderId}.${domain}${tlsPort === 443 ? '' : `:${tlsPort}`}` : undefined
    }
    const ofName = originOfName(config, orderId)
    if (ofName !== undefined) return ofName
    const local = knowsLocalNames(headers['user-agent']) ? localInstance : undefined
    const host = config.domain ? `o-${orderId}.${config.domain}` : local && localName(orderId, local)
    return host && `${schemeOf(address)}://${host}${address.portSuffix}`
  }
}

async function answer(response: ServerResponse, work: () => Promise<unknown>): Promise<void> {
  try {
    sendJson(response, 200, await work())
  } catch (error) {
    const known = error instanceof AppError ? error : new AppError('internal', 'the sign-in failed')
    sendJson(response, statusOfCode(known.code), { code: known.code, message: known.message })
  }
}

function redirect(response: ServerResponse, to: string, cookies: string[], clear = false): void {
  response.writeHead(302, {
    location: to,
    'cache-control': 'no-store',
    'content-length': 0,
    'referrer-policy': 'no-referrer',
    ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
    ...(clear ? { 'clear-site-data': '"cache", "storage"' } : {}),
  })
  response.end()
}
