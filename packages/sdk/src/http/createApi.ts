import type { HardwareAnswer } from '@rackfair/hardware/record'
import type { FaucetAnswer, SessionAnswer, SignInAnswer } from '@rackfair/protocol/account'
import type { AlertCreated, AlertsAnswer, AlertTested } from '@rackfair/protocol/alerts'
import type { ConfigAnswer } from '@rackfair/protocol/config'
import type { DeploymentRequest } from '@rackfair/protocol/deploymentRequests'
import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { EarningsAnswer } from '@rackfair/protocol/earnings'
import type { GlobalAnswer, SeriesAnswer, SeriesRange } from '@rackfair/protocol/network'
import type { NodeListItem, NodeSearchAnswer, PricesAnswer, RackAnswer } from '@rackfair/protocol/nodes'
import type { FeeAnswer, OrderEventWire, OrderWire, ReceiptWire } from '@rackfair/protocol/orders'
import type { PledgeHistoryAnswer } from '@rackfair/protocol/pledge'
import type { PresetWire } from '@rackfair/protocol/presets'
import type { ProviderWire } from '@rackfair/protocol/providers'
import type { EdgePlaceWire, ReachAnswer } from '@rackfair/protocol/reach'
import type { ReliabilityAnswer } from '@rackfair/protocol/reliability'
import type { MonitorsAnswer, OrderEvidenceAnswer } from '@rackfair/protocol/uptime'
import type { WorkspacePlace } from '@rackfair/protocol/workspace'
import type { AlertRule } from '@rackfair/rules/alerts'
import { AppError, type ErrorFacts } from '@rackfair/rules/errors/AppError'
import type { ErrorCode } from '../errors/ErrorCode.ts'
import { clockMinutesAhead, noteServerDate } from '../serverClock.ts'
import type { NodeQuery } from './NodeQuery.ts'

/** `minBlock`: the block of one's own transaction; the platform waits until it has indexed that far. */
export interface ReadOptions {
  minBlock?: number | bigint
  signal?: AbortSignal
}

/** Where the token of a session is kept, which a platform without TLS returns instead of setting a cookie. */
export interface SessionToken {
  get: () => string | undefined
  set: (token: string | undefined) => void
}

export type Api = ReturnType<typeof createApi>

/** Whether the platform closed a connection as idle at the moment it was used again. A browser then repeats a GET by itself, Node does not. */
const wasClosed = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes((error as { cause?: { code?: string } }).cause?.code ?? '')

interface ApiOptions {
  baseUrl: string | readonly string[]
  isSameMarket?: (config: ConfigAnswer) => boolean
  fetch?: typeof fetch
  credentials?: 'omit' | 'same-origin' | 'include'
  session?: SessionToken
  log?: (line: string) => void
}

/**
 * The platform's HTTP API, one method per call. Answers are the wire types of `@rackfair/protocol`, amounts as decimal strings.
 *
 * Every method throws AppError: the platform's code, or `platform_unreachable` (retryable) if there is no answer.
 * @param options.log called with a line for every refusal, in the words of the specification.
 * @param options.baseUrl the origin of the platform, without a trailing slash; empty for the page's own origin. Several are tried in order:
 * one that does not answer, or has no connection to the agent that is asked for, stands back behind the next.
 * @param options.isSameMarket whether another platform, by what it says of itself, may take the place of the first.
 * @param options.session by default, the token of a session lasts as long as the returned object.
 */
export function createApi(options: ApiOptions) {
  const { ask, inTurn, current, session } = createCalls(options)
  const get = <Answer>(...call: Parameters<typeof getting>) => inTurn((one) => ask<Answer>(one, ...getting(...call)))
  const post = <Answer>(...call: Parameters<typeof posting>) => inTurn((one) => ask<Answer>(one, ...posting(...call)))
  return {
    /** The origin of the platform that answered last, or of the first. */
    platform: () => current().origin,
    config: (read?: ReadOptions) => get<ConfigAnswer>('/v1/config', read),
    global: (read?: ReadOptions) => get<GlobalAnswer>('/v1/global/', read),
    series: (range: SeriesRange, read?: ReadOptions) => get<SeriesAnswer>('/v1/stats/series', read, { range }),
    rack: (read?: ReadOptions) => get<RackAnswer>('/v1/rack', read),
    prices: (read?: ReadOptions) => get<PricesAnswer>('/v1/prices', read),
    nodes: (query: NodeQuery, read?: ReadOptions) => get<NodeSearchAnswer>('/v1/nodes', read, words(query)),
    node: (provider: string, nodeId: number, read?: ReadOptions) => get<NodeListItem>(`/v1/nodes/${provider}/${nodeId}`, read),
    providers: (from = 0, to = 1000, read?: ReadOptions) => get<ProviderWire[]>(`/v1/cp/list/${from}/${to}`, read),
    provider: (address: string, read?: ReadOptions) => get<ProviderWire>(`/v1/cp/${address}`, read),
    providerOrders: (address: string, read?: ReadOptions) => get<OrderWire[]>(`/v1/cp/${address}/order/list`, read),
    earnings: (address: string, read?: ReadOptions) => get<EarningsAnswer>(`/v1/cp/${address}/earnings`, read),
    pledgeHistory: (address: string, read?: ReadOptions) => get<PledgeHistoryAnswer>(`/v1/cp/${address}/pledge`, read),
    /** The reliability of a node, with every outage it is computed from. */
    nodeReliability: (provider: string, nodeId: number, read?: ReadOptions) =>
      get<ReliabilityAnswer>(`/v1/nodes/${provider}/${nodeId}/reliability`, read),
    /** What monitors measured of a node's hardware, each result with its signature. */
    nodeHardware: (provider: string, nodeId: number, read?: ReadOptions) =>
      get<HardwareAnswer>(`/v1/nodes/${provider}/${nodeId}/hardware`, read),
    providerReliability: (address: string, read?: ReadOptions) => get<ReliabilityAnswer>(`/v1/cp/${address}/reliability`, read),
    monitors: (read?: ReadOptions) => get<MonitorsAnswer>('/v1/monitors', read),
    /** Where to reach the workspaces of a provider's orders, and the keys to seal to its agent. */
    workspacePlace: (address: string, read?: ReadOptions) =>
      inTurn(
        async (one) => {
          const place = await ask<WorkspacePlace>(one, ...getting(`/v1/cp/${address}/workspace`, read))
          return place.url?.startsWith('/') ? { ...place, url: `${one.origin.replace(/^http/, 'ws')}${place.url}` } : place
        },
        ({ url }) => url !== null,
      ),
    /** Has the platform probe the provider's registered address; takes up to 12 s. */
    reach: (address: string, read: ReadOptions = {}) =>
      post<ReachAnswer>(
        `/v1/cp/${address}/reach${read.minBlock === undefined ? '' : `?minBlock=${read.minBlock}`}`,
        {},
        read.signal,
      ),
    /** Has the platform ask an edge what it would give to a provider; takes up to 8 s. */
    edgePlace: (address: string, edge: string) => post<EdgePlaceWire>(`/v1/cp/${address}/edge`, { edge }),
    userOrders: (address: string, read?: ReadOptions) => get<OrderWire[]>(`/v1/user/${address}/order/list`, read),
    order: (orderId: string, read?: ReadOptions) => get<OrderWire>(`/v1/orders/${orderId}`, read),
    orderEvents: (orderId: string, read?: ReadOptions) =>
      get<{ events: OrderEventWire[]; block: number }>(`/v1/orders/${orderId}/events`, read),
    /** What every monitor reported of an order, with the Merkle proof to its root on the chain. */
    orderEvidence: (orderId: string, read?: ReadOptions) => get<OrderEvidenceAnswer>(`/v1/orders/${orderId}/evidence`, read),
    receipt: (orderId: string, read?: ReadOptions) => get<ReceiptWire>(`/v1/orders/${orderId}/receipt`, read),
    orderDeployment: (orderId: string, read?: ReadOptions) => get<DeploymentWire>(`/v1/orders/${orderId}/deployment`, read),
    fee: (request: { duration: number; node_id: number; provider: string }) => post<FeeAnswer>('/v1/order/fee', request),
    nonce: () => post<{ nonce: string }>('/v1/auth/nonce', {}),
    verify: async (request: { message: string; signature: string }) => {
      const { token, ...answer } = await post<SignInAnswer>('/v1/auth/verify', request)
      session().set(token)
      return answer satisfies SessionAnswer
    },
    session: (read?: ReadOptions) => get<SessionAnswer>('/v1/auth/session', read),
    logout: () => post<{ ok: true }>('/v1/auth/logout', {}).finally(() => session().set(undefined)),
    deploy: (request: DeploymentRequest) =>
      inTurn(
        (one) => ask<DeploymentWire>(one, ...posting('/v1/deployments', request)),
        // What waits there for the agent is told later what became of it here.
        ({ phase }) => phase !== 'Queued',
      ),
    deployment: (id: string, read?: ReadOptions) => get<DeploymentWire>(`/v1/deployments/${id}`, read),
    presets: (read?: ReadOptions) => get<PresetWire[]>('/v1/presets', read),
    alerts: (options?: ReadOptions) => get<AlertsAnswer>('/v1/alerts', options),
    createAlert: (request: AlertRule & { locale: 'en' | 'zh' }) => post<AlertCreated>('/v1/alerts', request),
    removeAlert: (id: string) => post<{ ok: true }>(`/v1/alerts/${id}/remove`, {}),
    testAlert: (id: string) => post<AlertTested>(`/v1/alerts/${id}/test`, {}),
    confirmAlert: (token: string) => post<{ ok: true }>('/v1/alerts/confirm', { token }),
    unsubscribeAlert: (token: string) => post<{ ok: true }>('/v1/alerts/unsubscribe', { token }),
    newsletter: (request: { email: string; locale?: 'en' | 'zh' }) => post<{ ok: true }>('/v1/newsletter', request),
    faucet: (address: string) => post<FaucetAnswer>('/v1/faucet', { address }),
  }
}

/** A platform, and the session there: its token is for no other. */
interface Platform {
  origin: string
  session: SessionToken
  isChecked: boolean
}

/** With a second platform to ask, one that is silent for this long counts as gone. */
const SILENT_MS = 20_000

function getting(path: string, read: ReadOptions = {}, query: Record<string, string> = {}): [path: string, init: RequestInit] {
  const search = new URLSearchParams(query)
  if (read.minBlock !== undefined) search.set('minBlock', String(read.minBlock))
  const suffix = search.size > 0 ? `?${search}` : ''
  return [`${path}${suffix}`, read.signal ? { signal: read.signal } : {}]
}

function posting(path: string, body: unknown, signal?: AbortSignal): [path: string, init: RequestInit] {
  const headers = { 'content-type': 'application/json' }
  return [path, { method: 'POST', headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) }]
}

function createCalls(options: ApiOptions) {
  const platforms = [options.baseUrl].flat().map((origin, index): Platform => {
    const session = (index === 0 ? options.session : undefined) ?? createSessionToken()
    return { origin, session, isChecked: false }
  })
  let current = platforms[0] as Platform

  async function ask<Answer>({ origin, session }: Platform, path: string, init: RequestInit): Promise<Answer> {
    const fetcher = options.fetch ?? fetch
    const token = session.get()
    const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) }
    const patience = platforms.length > 1 ? withinTime(init.signal ?? undefined, SILENT_MS) : undefined
    const sent = { ...init, ...patience?.init, headers, credentials: options.credentials ?? 'same-origin' }
    const send = () => fetcher(origin + path, sent)
    let response: Response
    try {
      response = await send().catch((error: unknown) => {
        if (init.method === undefined && wasClosed(error)) return send()
        throw error
      })
      noteServerDate(response.headers)
      if (response.ok) return (await response.json()) as Answer
    } catch (cause) {
      if (init.signal?.aborted) throw cause
      throw unreachable(`No answer from ${path}`, cause)
    } finally {
      patience?.end()
    }
    options.log?.(`HTTP error! status: ${response.status}`)
    throw await refusal(response)
  }

  const requireSameMarket = async (one: Platform) => {
    if (!options.isSameMarket || one.isChecked) return
    if (!options.isSameMarket(await ask<ConfigAnswer>(one, ...getting('/v1/config'))))
      throw unreachable(`${one.origin} is a platform of another market`)
    one.isChecked = true
  }

  /** Asks the present platform, and the next while there is no answer, or none that is `enough`. */
  async function inTurn<Answer>(
    call: (one: Platform) => Promise<Answer>,
    isEnough: (answer: Answer) => boolean = () => true,
  ): Promise<Answer> {
    const start = platforms.indexOf(current)
    let lesser: { answer: Answer } | undefined
    let failure: unknown
    for (const one of [...platforms.slice(start), ...platforms.slice(0, start)]) {
      try {
        if (failure !== undefined || lesser) await requireSameMarket(one)
        const answer = await call(one)
        if (platforms.length === 1 || isEnough(answer)) {
          current = one
          return answer
        }
        lesser ??= { answer }
      } catch (error) {
        if (!lesser && (error as { code?: unknown }).code !== 'platform_unreachable') throw error
        failure ??= error
      }
    }
    if (lesser) return lesser.answer
    throw failure
  }
  return { ask, inTurn, current: () => current, session: () => current.session }
}

const unreachable = (message: string, cause?: unknown) =>
  new AppError<ErrorCode>('platform_unreachable', message, { cause, retryable: true })

/** What ends a request after a time, besides its own signal. */
function withinTime(signal: AbortSignal | undefined, milliseconds: number) {
  const control = new AbortController()
  const abort = () => control.abort(signal?.reason)
  const timer = setTimeout(abort, milliseconds)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return {
    init: { signal: control.signal },
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}

function createSessionToken(): SessionToken {
  let kept: string | undefined
  return {
    get: () => kept,
    set: (token) => {
      kept = token
    },
  }
}

function words(query: NodeQuery): Record<string, string> {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]))
}

async function refusal(response: Response): Promise<AppError<ErrorCode>> {
  const body = (await response.json().catch(() => undefined)) as
    | { code?: unknown; message?: unknown; facts?: unknown }
    | undefined
  const code = typeof body?.code === 'string' ? (body.code as ErrorCode) : 'platform_unreachable'
  const message = typeof body?.message === 'string' ? body.message : `HTTP error! status: ${response.status}`
  return new AppError<ErrorCode>(code, message, {
    facts: { status: response.status, ...clockFacts(code), ...plainFacts(body?.facts) },
    retryable: response.status >= 500 || response.status === 429,
  })
}

/** How far the clock of this device is off, where a date was refused: it may be why. */
function clockFacts(code: string): ErrorFacts {
  const minutes = clockMinutesAhead()
  if (minutes === 0 || (code !== 'text_too_old' && code !== 'text_in_future')) return {}
  return minutes > 0 ? { minutesAhead: minutes } : { minutesBehind: -minutes }
}

/** Those that can be written in a sentence. */
function plainFacts(facts: unknown): ErrorFacts {
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts)) return {}
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => ['string', 'number', 'boolean'].includes(typeof fact)))
}
