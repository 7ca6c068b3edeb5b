import type { ReliabilityWire } from '@rackfair/protocol/reliability'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { createCalendar, type Pace, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import type { NodeHistory } from '@rackfair/rules/uptime/nodeHistory'
import type { FeedChange } from '../feed/ChangeFeed.ts'
import type { Database } from '../store/openStore.ts'
import { readHistories } from './readHistories.ts'
import { reliabilityOf } from './reliabilityOf.ts'

const DAY_SECONDS = 86_400

/** The reliability of every node, kept in memory by the change feed beside the catalogue that shows it. */
export class Reliability {
  private readonly db: Database
  private readonly histories = new Map<string, NodeHistory>()
  private now = 0
  private pace: Pace | undefined

  constructor(db: Database) {
    this.db = db
  }

  async load(): Promise<void> {
    this.now = (await this.db.selectFrom('cursor').select('blockTime').executeTakeFirst())?.blockTime ?? 0
    this.histories.clear()
    this.keep(await readHistories(this.db, this.calendar, this.now))
  }

  /** Processes what was committed up to the time of its block. True if a new day began, with which every figure changes. */
  async follow(changes: readonly FeedChange[], blockTime: number): Promise<boolean> {
    const before = this.day
    this.now = blockTime
    if (changes.some(({ event }) => event.type === 'reset')) {
      await this.load()
      return true
    }
    const providers = new Set<LowerCaseAddress>()
    for (const { event } of changes) {
      if (event.type === 'node') providers.add(event.cp)
      if (event.type === 'order') providers.add(event.provider)
    }
    for (const provider of providers) this.keep(await readHistories(this.db, this.calendar, this.now, provider))
    return this.day !== before
  }

  /** How monitors count time; the production pace until the contract was read. */
  get calendar() {
    return createCalendar(this.pace ?? PRODUCTION_PACE)
  }

  /** Reads once from the contract how it counts time. True if that changes anything. */
  async readPace(read: () => Promise<Pace | undefined>): Promise<boolean> {
    if (this.pace) return false
    const pace = await read().catch(() => undefined)
    if (!pace) return false
    this.pace = pace
    await this.load()
    return true
  }

  /** The day of the newest block: days since 1970-01-01. */
  get day(): number {
    return Math.floor(this.now / DAY_SECONDS)
  }

  of(provider: LowerCaseAddress, nodeId: number): ReliabilityWire | undefined {
    const history = this.histories.get(`${provider}|${nodeId}`)
    return history && reliabilityOf([history], this.day)
  }

  private keep(read: ReadonlyMap<string, { history: NodeHistory }>): void {
    for (const [key, { history }] of read) this.histories.set(key, history)
  }
}
