import type { HardwareResultWire } from '@rackfair/hardware/record'
import { agreedVerification, type HardwareFinding, isVerified } from '@rackfair/hardware/verification'
import type { VerificationWire } from '@rackfair/protocol/verification'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { FeedChange } from '../feed/ChangeFeed.ts'
import type { Database } from '../store/openStore.ts'
import type { HardwareResultTable } from '../store/tables.ts'

/** Older results are not shown. */
const SHOWN_SECONDS = 30 * 86_400
const MAX_ROWS = 200_000
const MAX_OF_NODE = 300
const HOUR = 3_600

/** What monitors agree on for the hardware of every node, kept in memory by the change feed beside the catalogue that shows it. */
export class Hardware {
  private readonly db: Database
  private readonly results = new Map<string, HardwareResultTable[]>()
  private now = 0

  constructor(db: Database) {
    this.db = db
  }

  async load(): Promise<void> {
    this.now = (await this.db.selectFrom('cursor').select('blockTime').executeTakeFirst())?.blockTime ?? 0
    this.results.clear()
    const rows = await this.inTurn(this.now - SHOWN_SECONDS)
      .limit(MAX_ROWS)
      .execute()
    for (const [key, own] of Map.groupBy(rows, ({ provider, nodeId }) => `${provider}|${nodeId}`))
      this.results.set(key, newestFirst(own.slice(0, MAX_OF_NODE)))
  }

  /**
   * Processes what was committed up to the time of its block. True if a new hour began, in which a verification may have become too old.
   */
  async follow(changes: readonly FeedChange[], blockTime: number): Promise<boolean> {
    const before = this.now
    this.now = blockTime
    if (changes.some(({ event }) => event.type === 'reset')) {
      await this.load()
      return true
    }
    for (const { event } of changes)
      if (event.type === 'node') {
        const rows = await this.rowsOf(event.cp, event.nodeId)
        if (rows.length > 0) this.results.set(`${event.cp}|${event.nodeId}`, rows)
      }
    return this.results.size > 0 && Math.floor(before / HOUR) !== Math.floor(blockTime / HOUR)
  }

  /** The agreed verification of a node's revision. */
  of(provider: LowerCaseAddress, nodeId: number, rev: number): VerificationWire | undefined {
    return this.agreedOn(this.results.get(`${provider}|${nodeId}`) ?? [], rev)
  }

  /** Computes the verification of a revision from these results. */
  agreedOn(rows: readonly HardwareResultTable[], rev: number): VerificationWire | undefined {
    return verificationOf(rows, rev, this.now)
  }

  /** The newest results of each monitor about a node, newest first. */
  async rowsOf(provider: LowerCaseAddress, nodeId: number): Promise<HardwareResultTable[]> {
    const rows = await this.inTurn(0).where('provider', '=', provider).where('nodeId', '=', nodeId).limit(MAX_OF_NODE).execute()
    return newestFirst(rows)
  }

  /** The newest result of every monitor about a node, then the second newest of each: where a limit cuts, none pushes out another. */
  private inTurn(since: number) {
    const ranked = this.db
      .selectFrom('hardwareResult')
      .selectAll()
      .where('time', '>=', since)
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over((results) => results.partitionBy(['provider', 'nodeId', 'monitor']).orderBy('time', 'desc').orderBy('beacon'))
          .as('place'),
      )
      .as('ranked')
    return this.db.selectFrom(ranked).selectAll().orderBy('place').orderBy('time', 'desc').orderBy('monitor')
  }
}

const newestFirst = (rows: readonly HardwareResultTable[]): HardwareResultTable[] =>
  rows.toSorted((a, b) => b.time - a.time || (a.monitor < b.monitor ? -1 : 1))

export const resultOf = ({ json }: HardwareResultTable): HardwareResultWire => JSON.parse(json) as HardwareResultWire

function verificationOf(rows: readonly HardwareResultTable[], rev: number, now: number): VerificationWire | undefined {
  const results = rows.filter(({ time }) => now - time <= SHOWN_SECONDS).map((row) => ({ row, result: resultOf(row) }))
  const findings = results.map(({ row, result }): HardwareFinding => {
    const drawn = row.drawn.split(',').filter(Boolean)
    return { ...result, monitor: row.monitor, drawn: drawn.map((account) => lowerCaseAddress(account)) }
  })
  const agreed = agreedVerification(findings, rev)
  const shown = results.find(({ result }) => result.beacon === agreed?.beacon && result.memoryBytes > 0)?.result
  if (!agreed) return undefined
  const { outcome, hardwareClass, time, agreed: count, needed } = agreed
  const { memoryBytes, cores, gpus } = shown ?? { memoryBytes: 0, cores: 0, gpus: 0 }
  return { outcome, hardwareClass, verified: isVerified(agreed, now), time, agreed: count, needed, memoryBytes, cores, gpus }
}
