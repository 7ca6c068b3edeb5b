import type { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DOOR_TIMES } from '@rackfair/protocol/door'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { DomainRecords } from '@rackfair/rules/network/ownDomain'
import { dnsRecords } from '@rackfair/sdk/dnsRecords'
import type { Logger } from 'pino'
import type { ChallengeZones } from './createChallengeZones.ts'
import { type Control, type ControlOptions, createControls, Refused } from './createControls.ts'
import type { Metrics, Refusal } from './createMetrics.ts'
import { createOwnDomains } from './createOwnDomains.ts'
import { createTickets } from './createTickets.ts'
import { createVisitors } from './createVisitors.ts'
import { createBlocked, type EdgeRules } from './edgeRules.ts'
import { EDGE_LIMITS, type EdgeLimits, type EdgeTimes } from './limits.ts'
import { listen } from './listen.ts'
import type { Book } from './openBook.ts'

export const EDGE_TIMES: EdgeTimes = {
  nameMs: 5_000,
  helloMs: 10_000,
  ticketMs: DOOR_TIMES.ticketMs,
  awayMs: 3_000,
  silenceMs: DOOR_TIMES.silenceMs,
  halfOpenMs: 120_000,
  countMs: 5_000,
}
/** Between two times that an agent hears the same. */
const SAID_AGAIN_MS = 10_000
const GB = 1_000_000_000

export interface EdgeOptions extends Pick<ControlOptions, 'chainId' | 'certificate' | 'isSigned'> {
  host: string
  /** 0 for a free one. */
  ports: Record<'control' | 'dial' | 'tls' | 'plain', number>
  /** The name below which providers have theirs. */
  zone: string
  rules: EdgeRules
  book: Book
  /** Of the name server beside this edge; without one, agents have certificates for single names only. */
  challenges?: Pick<ChallengeZones, 'of' | 'write'> | undefined
  /** What the DNS says of renters' domains; by default what this machine is told. */
  records?: DomainRecords
  limits?: Partial<EdgeLimits>
  times?: Partial<EdgeTimes>
  metrics: Metrics
  log: Logger
}
export type Edge = Awaited<ReturnType<typeof createEdge>>

/**
 * Hands visitors to the agents of providers that nobody could reach otherwise. It reads the server name of a visitor's first message, or
 * the Host of its first request, and nothing else: what follows is passed on as it comes.
 */
export async function createEdge(options: EdgeOptions) {
  const { host, zone, book, metrics, log } = options
  const limits = { ...EDGE_LIMITS, ...options.limits }
  const times = { ...EDGE_TIMES, ...options.times }
  const policy = createPolicy(options, limits)
  const tickets = createTickets({ limits, times })
  const byLabel = new Map<string, Control>()
  const ownDomains = createOwnDomains({ zone, records: options.records ?? dnsRecords() })
  const raw = createRawPorts(host, (provider) => visitors.raw(() => controls.of(provider)))

  const placeBy = createPlaces(policy, zone)
  const visitors = createVisitors({
    ...{ limits, times, tickets, metrics },
    find: (name) =>
      name.endsWith(`.${zone}`) ? (byLabel.get(labelOf(name, zone)) ?? 'away') : (ownDomains.find(name) ?? 'unknown_name'),
    refusalOf: policy.refusalOf,
    onFull: policy.tellFull,
    onBytes(provider, bytes) {
      metrics.bytes.inc({ provider }, bytes)
      policy.used(provider, bytes)
    },
  })
  const controls = createControls({
    ...{ edge: zone, chainId: options.chainId, certificate: options.certificate, isSigned: options.isSigned, limits, times, log },
    async admit(provider, wish) {
      const place = placeBy(book.take, provider, wish)
      await raw.open(provider, place.rawPort)
      writeChallenges(options)
      policy.used(provider, 0)
      return place
    },
    placeOf: (provider, wish) => placeBy(book.wouldTake, provider, wish),
    welcomeOf: (control) => ({
      ...{
        type: 'welcome',
        name: control.name,
        rawPort: control.rawPort,
        tlsPort: ports.tls,
        plainPort: ports.plain,
        dialPort: ports.dial,
        connections: limits.connections,
      },
      ...(options.challenges ? { dns: options.challenges.of(control) } : {}),
    }),
    onSpares(control) {
      byLabel.set(control.label, control)
      visitors.came(control)
    },
    onDomains: ownDomains.said,
    onGone(control) {
      ownDomains.left(control)
      if (byLabel.get(control.label) === control) byLabel.delete(control.label)
      visitors.left(control)
    },
    log,
  })

  const servers = { control: controls.server, dial: tickets.server, tls: visitors.tls, plain: visitors.plain }
  const ports = await openPorts(options, servers)
  metrics.watch({ agents: () => controls.all().length, visitors: visitors.size })

  return {
    ports,
    /** Applies other rules: visitors and agents that these do not allow are cut. */
    apply(rules: EdgeRules): void {
      policy.apply(rules)
      for (const { provider } of controls.all()) if (policy.isBlocked(provider, '')) controls.close(provider)
      visitors.cut(({ provider, name }) => policy.isBlocked(provider, name))
    },
    /** Takes no new visitors, tells the agents, and gives the visitors that are there `afterMs` to end. */
    async close(afterMs = 0): Promise<void> {
      for (const one of controls.all()) one.send({ type: 'bye', afterMs })
      for (const server of [...Object.values(servers), ...raw.all()]) server.close()
      const until = performance.now() + afterMs
      while (visitors.size() > 0 && performance.now() < until) await sleep(Math.min(50, afterMs))
      await visitors.close()
      controls.close()
    },
  }
}

/** For a provider that may be new. It is served all the same where that fails, with the zones that there are. */
function writeChallenges({ challenges, log }: EdgeOptions): void {
  try {
    challenges?.write()
  } catch (error) {
    log.error({ reason: String(error) }, 'the zones of the name server cannot be written')
  }
}

/** The label just below the zone, which is a provider's: `atlas` of `o-12.atlas.edge.example`. */
const labelOf = (name: string, zone: string): string =>
  name
    .slice(0, -zone.length - 1)
    .split('.')
    .at(-1) ?? ''

async function openPorts({ host, ports }: EdgeOptions, servers: Record<keyof EdgeOptions['ports'], Server>) {
  const names = Object.keys(servers) as (keyof EdgeOptions['ports'])[]
  const opened = await Promise.all(names.map(async (name) => [name, await listen(servers[name], ports[name], host)] as const))
  return Object.fromEntries(opened) as EdgeOptions['ports']
}

/** What the owner of an edge allows: who is served, and how much of it. */
function createPolicy({ rules, book, limits: given }: EdgeOptions, limits: EdgeLimits) {
  let current = rules
  let isBlocked = createBlocked(rules)
  const bytes = new Map<LowerCaseAddress, number>()
  const told = new WeakMap<Control, number>()
  const monthlyBytes = () =>
    given?.monthlyBytes ?? (current.monthlyGb === undefined ? limits.monthlyBytes : current.monthlyGb * GB)
  return {
    isBlocked: (provider: LowerCaseAddress, name: string): boolean => isBlocked(provider, name),
    labelOf: (provider: LowerCaseAddress): string | undefined => current.names[provider],
    refusalOf({ provider }: Control, name: string): Refusal | undefined {
      if (isBlocked(provider, name)) return 'blocked'
      // The month may be another one.
      return (bytes.get(provider) ?? 0) >= monthlyBytes() && book.add(provider, 0) >= monthlyBytes() ? 'bytes' : undefined
    },
    used: (provider: LowerCaseAddress, more: number): void => void bytes.set(provider, book.add(provider, more)),
    tellFull(control: Control, of: 'connections' | 'bytes'): void {
      const now = performance.now()
      if (now - (told.get(control) ?? Number.NEGATIVE_INFINITY) < SAID_AGAIN_MS) return
      told.set(control, now)
      control.send({ type: 'full', of, until: of === 'bytes' ? book.nextMonth() : 0 })
    },
    apply(other: EdgeRules): void {
      current = other
      isBlocked = createBlocked(other)
    },
  }
}

/** What a provider is given by `take`. */
function createPlaces(policy: ReturnType<typeof createPolicy>, zone: string) {
  return (take: Book['take'], provider: LowerCaseAddress, { port }: { port?: number | undefined }) => {
    if (policy.isBlocked(provider, '')) throw new Refused('blocked', 'the owner of this edge has blocked this provider')
    const place = take(provider, { port, label: policy.labelOf(provider) })
    if (!place) throw new Refused('no_port', 'all raw ports of this edge are taken')
    return { ...place, name: `${place.label}.${zone}` }
  }
}

/** The raw port of each provider: open from its first visit on, so that no other program takes it. */
function createRawPorts(host: string, make: (provider: LowerCaseAddress) => Server) {
  const open = new Map<LowerCaseAddress, { port: number; server: Server }>()
  return {
    /** @throws Refused where another program has the port. */
    async open(provider: LowerCaseAddress, port: number): Promise<void> {
      const before = open.get(provider)
      if (before?.port === port) return
      before?.server.close()
      const server = make(provider)
      open.set(provider, { port, server })
      await listen(server, port, host).catch((error: Error) => {
        open.delete(provider)
        throw new Refused('no_port', error.message)
      })
    },
    all: () => [...open.values()].map(({ server }) => server),
  }
}
