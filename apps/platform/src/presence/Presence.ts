import { randomUUID } from 'node:crypto'
import type { MarketEvent } from '@rackfair/protocol/events'
import type { AnnouncedMachine } from '@rackfair/protocol/relay'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { sql } from 'kysely'
import type { FeedChange } from '../feed/ChangeFeed.ts'
import { RateLimiter } from '../limits/RateLimiter.ts'
import { insertChanges } from '../store/insertChanges.ts'
import { insertRows } from '../store/insertRows.ts'
import { inTransaction, type Store } from '../store/openStore.ts'
import type { PresenceTable } from '../store/tables.ts'

/** An agent that was silent for three heartbeats is offline. */
export const ONLINE_SECONDS = 90
/** Interval of a process's own heartbeat. Other processes know when its agents were last heard from to this precision. */
const ALIVE_EVERY_SECONDS = 10
/** How often what an agent says of its machine and version is news: each time, every listener is told and every list is read again. */
const MACHINE_NEWS = { burst: 1, perMinute: 1 }
/** What changes again sooner is told with the next sweep. */
const TOLD_EVERY_MS = 1_000
const FORGET_PROCESS_SECONDS = 86_400
const BATCH = 500
const NEVER_SEEN = 'false '

interface Agent {
  /** The process that holds its connection. */
  holder: string
  version: string
  /** JSON of its machine's capacity. */
  machine: string | null
  online: boolean
  /** What it says of itself now, if that is not news yet. */
  next?: Pick<Agent, 'version' | 'machine'> | undefined
  /** Unix seconds. Exact in the process that holds the connection. */
  seen: number
}

/**
 * Which agents are online. A heartbeat changes one number in the memory of the process that holds the connection; the store and the other
 * processes are only notified when an agent connects, disconnects, or moves to another process. A dead process is detected by its own
 * missing heartbeat, and its agents go offline with it unless they connect elsewhere first.
 */
export class Presence {
  private readonly store: Store
  private readonly clock: () => number
  private readonly onChange: (providers: readonly LowerCaseAddress[]) => void
  private readonly url: string
  private readonly id = randomUUID()
  private readonly agents = new Map<LowerCaseAddress, Agent>()
  private readonly processes = new Map<string, number>()
  private readonly news = new RateLimiter(1)
  private readonly shown = new Map<LowerCaseAddress, string>()
  private readonly unwritten = new Set<LowerCaseAddress>()
  /** Unix milliseconds of the last event of each provider. */
  private readonly toldAt = new Map<LowerCaseAddress, number>()
  private writing: Promise<void> | undefined
  private saidAlive = 0

  /**
   * `clock` returns unix milliseconds. `onChange` names providers whose appearance changed. `url` is where browsers reach this very
   * process; empty if it is the only one.
   */
  constructor(store: Store, clock: () => number, onChange: (providers: readonly LowerCaseAddress[]) => void, url = '') {
    this.store = store
    this.url = url
    this.clock = clock
    this.onChange = onChange
  }

  async start(): Promise<void> {
    await this.sayAlive()
    for (const row of await this.store.db.selectFrom('presence').selectAll().execute()) this.keep(row)
    await this.sweep()
  }

  /** A message from a connection that has proved the key of this provider's agent. `machine` is JSON of its machine's capacity. */
  heard(provider: LowerCaseAddress, version: string, machine: string | null = null): void {
    const known = this.agents.get(provider)
    const said = { version, machine }
    const isOther = known !== undefined && (known.version !== version || known.machine !== machine)
    const waits = isOther && !this.isNewsNow(provider)
    const told = waits ? { version: known.version, machine: known.machine, next: said } : said
    this.agents.set(provider, { ...told, holder: this.id, online: true, seen: this.now() })
    if (known?.holder === this.id && known.online && (waits || !isOther)) return
    this.unwritten.add(provider)
    if (!this.mayTell(provider)) return
    this.show([provider])
    void this.write().catch(() => undefined)
  }

  isOnline(provider: LowerCaseAddress): boolean {
    const agent = this.agents.get(provider)
    return agent?.online === true && this.seenOf(agent) > this.now() - ONLINE_SECONDS
  }

  /** When the agent was last heard from, if it is offline; null while it is online, or if it never was. */
  offlineSince(provider: LowerCaseAddress): number | null {
    const agent = this.agents.get(provider)
    return agent && !this.isOnline(provider) ? this.seenOf(agent) : null
  }

  /** What a provider's agent last announced about its machine and what it takes; `undefined` if it never did. */
  machineOf(provider: LowerCaseAddress): AnnouncedMachine | undefined {
    const text = this.agents.get(provider)?.machine
    return text ? (JSON.parse(text) as AnnouncedMachine) : undefined
  }

  /** Processes what other processes wrote. */
  async follow(changes: readonly FeedChange[]): Promise<void> {
    const providers = [...new Set(changes.flatMap(({ event }) => (event.type === 'presence' ? [event.cp] : [])))]
    for (let start = 0; start < providers.length; start += BATCH) {
      const batch = providers.slice(start, start + BATCH)
      const rows = await this.store.db.selectFrom('presence').selectAll().where('provider', 'in', batch).execute()
      for (const row of rows) if (row.holder !== this.id) this.keep(row)
      this.show(batch)
    }
  }

  /** Detects silent agents and dead processes, and writes this process's own heartbeat. */
  async sweep(): Promise<void> {
    if (this.now() - this.saidAlive >= ALIVE_EVERY_SECONDS) await this.sayAlive()
    const rows = await this.store.db.selectFrom('process').selectAll().execute()
    for (const { id, seenAt } of rows) this.processes.set(id, seenAt)
    const limit = this.now() - ONLINE_SECONDS
    const dead = new Map<string, number>()
    for (const [provider, agent] of this.agents) {
      if (!agent.online || this.seenOf(agent) > limit) continue
      agent.seen = this.seenOf(agent)
      agent.online = false
      if (agent.holder === this.id) this.unwritten.add(provider)
      else dead.set(agent.holder, agent.seen)
    }
    for (const [holder, lastSeen] of dead) {
      const held = this.store.db.updateTable('presence').set({ online: 0, lastSeen })
      await held.where('holder', '=', holder).where('online', '=', 1).execute()
    }
    this.tellWhatWaited()
    this.show([...this.agents.keys()])
    await this.write()
  }

  private tellWhatWaited(): void {
    for (const [provider, agent] of this.agents) {
      if (!agent.next || agent.holder !== this.id || !this.isNewsNow(provider)) continue
      this.agents.set(provider, { ...agent, ...agent.next, next: undefined })
      this.unwritten.add(provider)
    }
  }

  private isNewsNow(provider: LowerCaseAddress): boolean {
    return this.news.take('machine', provider, MACHINE_NEWS, this.clock()) === 0
  }

  private mayTell(provider: LowerCaseAddress): boolean {
    return this.clock() - (this.toldAt.get(provider) ?? Number.NEGATIVE_INFINITY) >= TOLD_EVERY_MS
  }

  /** Resolves when all changes are in the store, but for those of providers of whom something was told just now. */
  async write(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined
    })
    return this.writing
  }

  private async writeAll(): Promise<void> {
    for (;;) {
      const batch = [...this.unwritten].filter((provider) => this.mayTell(provider)).slice(0, BATCH)
      if (batch.length === 0) return
      for (const provider of batch) {
        this.unwritten.delete(provider)
        this.toldAt.set(provider, this.clock())
      }
      this.show(batch)
      try {
        await this.writeBatch(batch)
      } catch (error) {
        for (const provider of batch) {
          this.unwritten.add(provider)
          this.toldAt.delete(provider)
        }
        throw error
      }
    }
  }

  private async writeBatch(providers: readonly LowerCaseAddress[]): Promise<void> {
    await inTransaction(this.store, async (session) => {
      // Takes SQLite's write lock before the first read, so that no other writer interferes.
      await session.db.updateTable('process').set({ seenAt: this.now() }).where('id', '=', this.id).execute()
      const rows = providers.flatMap((provider) => {
        const agent = this.agents.get(provider)
        return agent?.holder === this.id ? [rowOf(provider, agent)] : []
      })
      const known = session.db.selectFrom('presence').select(['provider', 'holder']).where('provider', 'in', providers)
      const holders = new Map((await known.execute()).map((row) => [row.provider, row.holder]))
      // Only the process that last held the connection may report silence.
      const fresh = rows.filter((row) => row.online === 1 || (holders.get(row.provider) ?? this.id) === this.id)
      await insertRows(session, 'presence', fresh, ['provider'])
      const events = fresh.map((row): MarketEvent => ({ type: 'presence', cp: row.provider, online: row.online === 1 }))
      await insertChanges(
        session,
        events.map((event) => ({ topic: 'presence', user: '', body: JSON.stringify(event) })),
      )
    })
    if (this.store.kind === 'postgres') await sql`select pg_notify('rackfair_change', '')`.execute(this.store.db)
  }

  private async sayAlive(): Promise<void> {
    const seenAt = this.now()
    const row = { id: this.id, seenAt, url: this.url }
    const insert = this.store.db.insertInto('process').values(row)
    await insert.onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt })).execute()
    await this.store.db
      .deleteFrom('process')
      .where('seenAt', '<', seenAt - FORGET_PROCESS_SECONDS)
      .execute()
    this.saidAlive = seenAt
  }

  private keep({ provider, holder, version, machine, online, lastSeen }: PresenceTable): void {
    this.agents.set(provider, { holder, version, machine, online: online === 1, seen: lastSeen })
  }

  private show(providers: readonly LowerCaseAddress[]): void {
    const lookOf = (provider: LowerCaseAddress) => `${this.isOnline(provider)} ${this.agents.get(provider)?.machine ?? ''}`
    const changed = providers.filter((provider) => (this.shown.get(provider) ?? NEVER_SEEN) !== lookOf(provider))
    for (const provider of changed) this.shown.set(provider, lookOf(provider))
    if (changed.length > 0) this.onChange(changed)
  }

  private seenOf(agent: Agent): number {
    if (agent.holder === this.id || !agent.online) return agent.seen
    return Math.max(agent.seen, this.processes.get(agent.holder) ?? 0)
  }

  private now(): number {
    return Math.floor(this.clock() / 1000)
  }
}

function rowOf(provider: LowerCaseAddress, { holder, version, machine, online, seen }: Agent): PresenceTable {
  return { provider, holder, version, machine, online: online ? 1 : 0, lastSeen: seen }
}
