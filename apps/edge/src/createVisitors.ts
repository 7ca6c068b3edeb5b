import { createServer, type Server, type Socket } from 'node:net'
import type { DoorKind } from '@rackfair/protocol/door'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { createNetworkCounts } from '@rackfair/rules/network/networkCounts'
import { networkOf } from '@rackfair/rules/network/networkOf'
import { createPace } from '@rackfair/rules/network/pace'
import type { Control } from './createControls.ts'
import { type Arrived, createHandOver } from './createHandOver.ts'
import type { Metrics, Refusal } from './createMetrics.ts'
import { createReturns } from './createReturns.ts'
import { createSpares } from './createSpares.ts'
import type { Tickets } from './createTickets.ts'
import { breakOff } from './joinSockets.ts'
import type { EdgeLimits, EdgeTimes } from './limits.ts'
import { createUnknown } from './limitUnknown.ts'
import { SOCKET_OPTIONS } from './listen.ts'
import { readHost } from './readHost.ts'
import { readServerName, type ServerName } from './readServerName.ts'

/** TLS alerts, which a browser shows as what they are: internal_error, unrecognized_name. */
const alert = (code: number) => Buffer.from([21, 3, 1, 0, 2, 2, code])
const REFUSED_TLS: Partial<Record<Refusal, Buffer>> = { no_name: alert(112), unknown_name: alert(112), blocked: alert(112) }
const BUSY_TLS = alert(80)
const REFUSED_HTTP = 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\nretry-after: 5\r\n\r\n'
/** How long a visitor may take to read why it was not served. */
const LAST_WORD_MS = 1_000

export interface VisitorOptions {
  limits: EdgeLimits
  times: EdgeTimes
  tickets: Tickets
  metrics: Metrics
  /** The agent behind a name, or why there is none. */
  find: (name: string) => Control | Refusal
  /** Whether the provider or the name gets no visitors, or the provider no more bytes. */
  refusalOf: (control: Control, name: string) => Refusal | undefined
  onFull: (control: Control, of: 'connections' | 'bytes') => void
  /** Counts bytes that were passed on for a provider. */
  onBytes: (provider: LowerCaseAddress, bytes: number) => void
}

interface Visit {
  provider: LowerCaseAddress
  name: string
  visitor: Socket
  counted: number
}

export type Visitors = ReturnType<typeof createVisitors>

/** The visitors of all providers: whom they want, and the connection that their agent dials for each. */
export function createVisitors(options: VisitorOptions) {
  const { limits, times, tickets, metrics } = options
  const unknown = createUnknown(limits, times.nameMs)
  const spares = createSpares(tickets)
  const visits = createVisits(options.onBytes, times.countMs)
  const admission = createAdmission(limits)
  const returns = createReturns(times.awayMs)

  const refuse = (socket: Socket, kind: DoorKind, reason: Refusal) => {
    metrics.refused.inc({ reason })
    turnAway(socket, kind, reason)
  }
  const { handOver, came: cameAnew } = createHandOver({
    ...{ tickets, spares, returns, metrics, refuse },
    halfOpenMs: times.halfOpenMs,
  })

  /** Hands a visitor over, of whom `head` has been read. */
  const serve = (arrived: Omit<Arrived, 'from'>, control: Control) => {
    const { visitor, kind, name, head, find } = arrived
    const from = visitor.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '')
    if (from === undefined || visitor.destroyed) return visitor.destroy()
    const refusal = options.refusalOf(control, name)
    if (refusal) {
      if (refusal === 'bytes') options.onFull(control, 'bytes')
      return refuse(visitor, kind, refusal)
    }
    const leave = admission.enter(control.provider, from)
    if (leave === undefined) {
      options.onFull(control, 'connections')
      return refuse(visitor, kind, 'crowded')
    }
    visitor.once('close', leave)
    visits.add({ provider: control.provider, name, visitor, counted: 0 })
    handOver({ visitor, kind, from, name, head, find }, control)
  }

  const named = (kind: 'tls' | 'plain', read: (bytes: Buffer) => ServerName): Server =>
    createServer(SOCKET_OPTIONS, (socket) => {
      socket.on('error', () => {})
      if (!unknown.add(socket)) return
      onName(socket, read, (name, head) => {
        const find = () => (name === undefined ? 'no_name' : options.find(name))
        returns.await(find, socket, (control) => {
          unknown.known(socket)
          if (typeof control === 'string') refuse(socket, kind, control)
          else serve({ visitor: socket, kind, name: name ?? '', head, find }, control)
        })
      })
    })

  return {
    tls: named('tls', readServerName),
    plain: named('plain', readHost),
    /** A server for the raw port of a provider, whose agent `find` knows. */
    raw: (find: () => Control | undefined): Server =>
      createServer({ ...SOCKET_OPTIONS, pauseOnConnect: true }, (socket) => {
        socket.on('error', () => {})
        const control = find()
        const arrived = { visitor: socket, kind: 'raw', name: '', head: Buffer.alloc(0), find: () => find() ?? 'away' } as const
        if (control) serve(arrived, control)
        else refuse(socket, 'raw', 'away')
      }),
    /** An agent is there, or wants another number of spares. */
    came(control: Control): void {
      spares.came(control)
      cameAnew(control)
      returns.came()
    },
    left: spares.left,
    size: visits.size,
    cut: visits.cut,
    /** Resolves when all visitors are gone, and counted. */
    async close(): Promise<void> {
      spares.close()
      await visits.close()
    },
  }
}

/** Tells a visitor why it is not served, and ends it. */
function turnAway(socket: Socket, kind: DoorKind, reason: Refusal): void {
  socket.on('error', () => {})
  socket.resume()
  socket.end(kind === 'tls' ? (REFUSED_TLS[reason] ?? BUSY_TLS) : REFUSED_HTTP)
  const timer = setTimeout(() => socket.destroy(), LAST_WORD_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** Reads until the name is known; undefined if there is none. */
function onName(
  socket: Socket,
  read: (bytes: Buffer) => ServerName,
  done: (name: string | undefined, head: Buffer) => void,
): void {
  let head: Buffer = Buffer.alloc(0)
  const end = (name: string | undefined) => {
    socket.off('data', onData)
    socket.off('end', onEnd)
    socket.pause()
    done(name, head)
  }
  const onData = (chunk: Buffer) => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    const found = read(head)
    if (found !== 'more') end(found === 'none' ? undefined : found.name)
  }
  const onEnd = () => end(undefined)
  socket.on('data', onData)
  socket.once('end', onEnd)
}

/** The visitors that are there, and what they transfer. */
function createVisits(onBytes: VisitorOptions['onBytes'], countMs: number) {
  const visits = new Set<Visit>()
  /** Counts what has been passed on since the last time. */
  const count = (visit: Visit) => {
    const bytes = visit.visitor.bytesRead + visit.visitor.bytesWritten
    if (bytes > visit.counted) onBytes(visit.provider, bytes - visit.counted)
    visit.counted = bytes
  }
  const counting = setInterval(() => {
    for (const visit of visits) count(visit)
  }, countMs).unref()
  return {
    add(visit: Visit): void {
      visits.add(visit)
      visit.visitor.once('close', () => {
        count(visit)
        visits.delete(visit)
      })
    },
    size: () => visits.size,
    /** Cuts the visitors of whom this is true. */
    cut(isCut: (visit: { provider: LowerCaseAddress; name: string }) => boolean): void {
      for (const visit of visits) if (isCut(visit)) breakOff(visit.visitor)
    },
    async close(): Promise<void> {
      clearInterval(counting)
      const gone = [...visits].map(({ visitor }) => new Promise((resolve) => visitor.once('close', resolve)))
      this.cut(() => true)
      await Promise.all(gone)
    },
  }
}

/** How many visitors a provider may have: at once, of one network, and new ones of it in a second. */
function createAdmission({ connections, perNetwork, newPerSecond }: EdgeLimits) {
  const providers = new Map<LowerCaseAddress, { count: number; networks: ReturnType<typeof createNetworkCounts> }>()
  const pace = createPace({ burst: perNetwork, perSecond: newPerSecond }, () => performance.now())
  return {
    /** Returns what to call at the end, once; undefined where there are too many. */
    enter(provider: LowerCaseAddress, from: string): (() => void) | undefined {
      const own = providers.get(provider) ?? { count: 0, networks: createNetworkCounts(perNetwork) }
      if (own.count >= connections || !pace.take(`${provider} ${networkOf(from)}`) || !own.networks.take(from)) return undefined
      providers.set(provider, own)
      own.count += 1
      return () => {
        own.count -= 1
        own.networks.give(from)
        if (own.count === 0) providers.delete(provider)
      }
    },
  }
}
