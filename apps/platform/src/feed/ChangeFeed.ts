import type { MarketEvent } from '@rackfair/protocol/events'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { listenOn } from '../store/listenOn.ts'
import type { Store } from '../store/openStore.ts'

const PAGE = 2_000
const NOTIFIED = 'rackfair_change'

/** As stored: with addresses in lower case. */
export type StoredEvent = MarketEvent extends infer Event
  ? { [Name in keyof Event]: Name extends 'cp' | 'user' | 'provider' ? LowerCaseAddress : Event[Name] }
  : never

export interface FeedChange {
  seq: number
  user: string
  event: StoredEvent
}

/** The readers' view of the chain: the block that the rows are at, and whether the indexer keeps up. */
export interface FeedPosition {
  block: number
  blockTime: number
  seq: number
  state: string
  head: number
  seenAt: number
  reason: string
}

export type FeedListener = (changes: readonly FeedChange[], position: FeedPosition) => void | Promise<void>

/**
 * Delivers to this process what any process committed, in commit order. Woken by the indexer's thread, by PostgreSQL's NOTIFY, and as a
 * fallback by a timer. Listeners are awaited, so `position` is never ahead of what they have processed.
 */
export class ChangeFeed {
  position: FeedPosition = { block: -1, blockTime: 0, seq: 0, state: 'starting', head: 0, seenAt: 0, reason: '' }
  private readonly store: Store
  private readonly pollMs: number
  private readonly listeners: FeedListener[] = []
  private readonly waiting = new Set<() => void>()
  private timer: NodeJS.Timeout | undefined
  private running = false
  private again = false
  private closed = false
  private unsubscribe: (() => void) | undefined

  constructor(store: Store, pollMs: number) {
    this.store = store
    this.pollMs = pollMs
  }

  listen(listener: FeedListener): () => void {
    this.listeners.push(listener)
    return () => void this.listeners.splice(this.listeners.indexOf(listener), 1)
  }

  /** Starts after everything committed so far; `prepare` reads the rows that later changes build on. */
  async start(prepare: () => Promise<void> = async () => undefined): Promise<void> {
    const newest = await this.store.db
      .selectFrom('change')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .executeTakeFirst()
    this.position.seq = Number(newest?.seq ?? 0)
    await prepare()
    await this.read()
    this.timer = setInterval(() => this.wake(), this.pollMs)
    if (this.store.pool && !this.closed) this.unsubscribe = listenOn(this.store.pool, NOTIFIED, () => this.wake())
  }

  wake(): void {
    this.again = true
    if (!this.running && !this.closed) void this.drain()
  }

  /** Waits until the rows are at `block`, at most `timeoutMs`. */
  async reached(block: number, timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs
    while (this.position.block < block && Date.now() < deadline && !this.closed) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          this.waiting.delete(done)
          resolve()
        }
        const timer = setTimeout(done, Math.max(1, deadline - Date.now()))
        this.waiting.add(done)
      })
    }
  }

  /** Retained changes after `seq`; `undefined` if some were already dropped. */
  async since(seq: number): Promise<FeedChange[] | undefined> {
    if (seq > this.position.seq) return undefined
    const oldest = await this.store.db
      .selectFrom('change')
      .select(({ fn }) => fn.min('seq').as('seq'))
      .executeTakeFirst()
    if (seq < this.position.seq && Number(oldest?.seq ?? 0) > seq + 1) return undefined
    const changes = await this.page(seq)
    return changes.length === PAGE ? undefined : changes
  }

  close(): void {
    this.closed = true
    clearInterval(this.timer)
    for (const done of [...this.waiting]) done()
    this.unsubscribe?.()
    this.unsubscribe = undefined
  }

  private async drain(): Promise<void> {
    this.running = true
    try {
      while (this.again && !this.closed) {
        this.again = false
        await this.read()
      }
    } catch {
      // The database is briefly unavailable: the timer retries.
    } finally {
      this.running = false
    }
  }

  private async read(): Promise<void> {
    const cursor = await this.store.db.selectFrom('cursor').select(['block', 'blockTime']).where('id', '=', 1).executeTakeFirst()
    const status = await this.store.db.selectFrom('indexerStatus').selectAll().where('id', '=', 1).executeTakeFirst()
    for (;;) {
      const changes = await this.page(this.position.seq)
      const { state = 'starting', head = 0, seenAt = 0, reason = '' } = status ?? {}
      const { block = -1, blockTime = 0 } = cursor ?? {}
      const position = { block, blockTime, seq: changes.at(-1)?.seq ?? this.position.seq, state, head, seenAt, reason }
      const moved = changes.length > 0 || block !== this.position.block
      const next = changes.length === PAGE ? { ...position, block: this.position.block } : position
      if (moved) for (const listener of this.listeners) await listener(changes, next)
      this.position = next
      if (changes.length < PAGE) break
    }
    for (const done of [...this.waiting]) done()
  }

  private async page(after: number): Promise<FeedChange[]> {
    const rows = await this.store.db
      .selectFrom('change')
      .selectAll()
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    return rows.map(({ seq, user, body }) => ({ seq, user, event: JSON.parse(body) as StoredEvent }))
  }
}
