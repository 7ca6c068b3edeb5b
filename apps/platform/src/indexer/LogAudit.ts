import type { Database } from '../store/openStore.ts'
import type { ChainSource } from './ChainSource.ts'

/** So deep that a node has no reason left to answer incompletely. */
const FINAL_DEPTH = 64
const BLOCKS_AT_ONCE = 32

/**
 * Reads the logs of every block a second time once it is final. Detects a log that a node omitted while the block's others arrived, which
 * the block's bloom filter cannot show.
 */
export class LogAudit {
  private readonly db: Database
  private readonly chain: ChainSource
  private done = -1

  constructor(db: Database, chain: ChainSource) {
    this.db = db
    this.chain = chain
  }

  /** Audits the next final blocks, if there are enough. Returns the first block with a log that is not stored. */
  async next(cursor: number, addresses: readonly string[]): Promise<number | undefined> {
    const from = await this.firstOpen()
    const to = from + BLOCKS_AT_ONCE - 1
    if (to > cursor - FINAL_DEPTH) return undefined
    const gap = await this.firstGap(from, to, addresses)
    this.done = gap === undefined ? to : gap - 1
    return gap
  }

  /** Audits everything that can be rolled back, final or not. */
  async all(cursor: number, addresses: readonly string[]): Promise<number | undefined> {
    this.done = -1
    for (let from = await this.firstOpen(); from <= cursor; from += BLOCKS_AT_ONCE) {
      const gap = await this.firstGap(from, Math.min(cursor, from + BLOCKS_AT_ONCE - 1), addresses)
      if (gap !== undefined) return gap
    }
    return undefined
  }

  /** Rows can be rolled back to the oldest kept block, so a gap after it can be closed. */
  private async firstOpen(): Promise<number> {
    const oldest = await this.db
      .selectFrom('block')
      .select(({ fn }) => fn.min('number').as('number'))
      .executeTakeFirst()
    return Math.max(this.done, Number(oldest?.number ?? Number.MAX_SAFE_INTEGER)) + 1
  }

  private async firstGap(from: number, to: number, addresses: readonly string[]): Promise<number | undefined> {
    const again = await this.chain.logs(from, to, addresses)
    const stored = await this.db
      .selectFrom('rawLog')
      .select(['block', 'logIndex'])
      .where('block', '>=', from)
      .where('block', '<=', to)
      .execute()
    const known = new Set(stored.map(({ block, logIndex }) => `${block}|${logIndex}`))
    const missing = again.find(({ block, logIndex }) => !known.has(`${block}|${logIndex}`))
    if (!missing && again.length < stored.length)
      throw new Error(`the chain answered fewer logs of blocks ${from} to ${to} than it did before`)
    return missing?.block
  }
}
