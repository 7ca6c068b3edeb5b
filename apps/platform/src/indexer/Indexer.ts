import type { Store } from '../store/openStore.ts'
import { type Applied, applyBlocks, applyRange, UNDO_WINDOW } from './applyRange.ts'
import { bloomHas } from './bloomHas.ts'
import { type BlockHead, type ChainSource, openChain, type RawLog } from './ChainSource.ts'
import { type ContractKind, decodeLog } from './decodeLog.ts'
import { type Fold, MissingRow } from './Fold.ts'
import { eventsOf } from './foldEvents.ts'
import { FOLD_VERSION } from './handlers/index.ts'
import { Leadership } from './Leadership.ts'
import { LogAudit } from './LogAudit.ts'
import { namedContracts } from './namedContracts.ts'
import { type DecodedRange, RangeReader, type ReadRange } from './RangeReader.ts'
import { refold } from './refold.ts'
import { clearDerived, commonAncestor, newestValidLog, rollbackTo } from './rollback.ts'

export interface IndexerSettings {
  rpcUrl: string
  chainId: number
  /** Address of Access, and the block it was deployed at. */
  access: string
  fromBlock: number
  /** Addresses known before the first published version is read. */
  contracts: ReadonlyMap<string, ContractKind>
  rpcTimeoutMs?: number
  /** Approximate number of logs per transaction while the head is far. */
  logsPerWrite?: number
}

export type IndexerState = 'standby' | 'syncing' | 'live' | 'rebuilding'

/** What a step did, for the log and the metrics. */
export type IndexerNote =
  | { type: 'applied'; block: number; logs: number }
  | { type: 'reorg'; from: number; to: number }
  | { type: 'rebuild'; keptLogsUpTo: number }
  | { type: 'gap'; block: number }

/** Blocks read at once near the head, unless the node refuses that many. */
const LIVE_BATCH = 128
const LOGS_PER_WRITE = 5_000
const FAR_HEAD_MS = 1_000

/** Follows the chain into the store. `step` does one unit of work; the caller schedules it. */
export class Indexer {
  state: IndexerState = 'standby'
  head = 0
  readonly chain: ChainSource
  readonly leadership: Leadership
  private readonly store: Store
  private readonly settings: IndexerSettings
  private readonly note: (note: IndexerNote) => void
  private readonly ranges: RangeReader
  private last: { head: BlockHead; at: number } | undefined
  /** Of the range just written, for the one that follows at once. */
  private fold: Fold | undefined
  private kinds = new Map<string, ContractKind>()
  private logAudit: LogAudit
  private liveBatch = LIVE_BATCH
  private retriedOnce = false
  private opened = false

  constructor(store: Store, settings: IndexerSettings, note: (note: IndexerNote) => void = () => undefined) {
    this.store = store
    this.settings = settings
    this.note = note
    this.chain = openChain(settings.rpcUrl, settings.rpcTimeoutMs)
    this.leadership = new Leadership(store)
    this.logAudit = new LogAudit(store.db, this.chain)
    this.ranges = new RangeReader({
      read: (from, to, last) => this.readRange(from, to, last),
      decode: (logs) => eventsOf(logs, this.kinds),
      logsAtOnce: settings.logsPerWrite ?? LOGS_PER_WRITE,
    })
  }

  /** Does the next unit of work. True if there is more to do at once, false if the store is at the head. */
  async step(): Promise<boolean> {
    if (!this.opened) return this.open()
    try {
      const more = await this.advance()
      this.retriedOnce = false
      return more
    } catch (error) {
      if (!(error instanceof MissingRow)) throw error
      // An event refers to an unknown row: an earlier log is missing.
      const { block } = await this.cursor()
      const gap = await this.logAudit.all(block, this.addresses())
      if (gap === undefined && !this.retriedOnce) {
        // Or the answer just read lacks it: that one is retried before everything is read again.
        this.retriedOnce = true
        throw error
      }
      await this.closeGap(gap ?? 0, block)
      return true
    }
  }

  private async advance(): Promise<boolean> {
    const { fold } = this
    this.fold = undefined
    const cursor = await this.cursor()
    const head = await this.headFrom(cursor.block)
    this.head = head.number
    if (head.number < cursor.block) {
      const [same] = await this.chain.blocks([head.number])
      const ours = await this.store.db.selectFrom('block').select('hash').where('number', '=', head.number).executeTakeFirst()
      if (ours && same?.hash !== ours.hash) return this.reorg(cursor.block)
      if (!ours && cursor.block - head.number > UNDO_WINDOW) return this.reorg(cursor.block)
      this.state = 'syncing'
      return false
    }
    if (head.number === cursor.block) {
      if (head.hash !== cursor.blockHash) return this.reorg(cursor.block)
      this.state = 'live'
      const gap = await this.logAudit.next(cursor.block, this.addresses())
      if (gap === undefined) return false
      await this.closeGap(gap, cursor.block)
      return true
    }
    const more =
      head.number - cursor.block > UNDO_WINDOW ? await this.backfill(cursor, head, fold) : await this.follow(cursor, head)
    if (!more) this.state = 'live'
    return more
  }

  async stop(): Promise<void> {
    await this.leadership.release()
  }

  private async open(): Promise<boolean> {
    if (!(await this.leadership.acquire())) {
      this.state = 'standby'
      return false
    }
    this.state = 'syncing'
    const { chainId, access, fromBlock } = this.settings
    const answered = await this.chain.chainId()
    if (answered !== chainId) throw new Error(`the RPC serves chain ${answered}, the deployment is on ${chainId}`)
    const [genesis] = await this.chain.blocks([0])
    const genesisHash = genesis?.hash ?? ''
    const known = await this.store.db.selectFrom('cursor').selectAll().where('id', '=', 1).executeTakeFirst()
    const fresh = { chainId, access, genesisHash, block: fromBlock - 1, blockHash: '', blockTime: 0, foldVersion: FOLD_VERSION }
    if (!known) {
      await this.store.db
        .insertInto('cursor')
        .values({ id: 1, ...fresh })
        .execute()
    } else if (known.genesisHash !== genesisHash || known.access !== access || known.chainId !== chainId) {
      await this.forgetChain(fresh)
    } else if (known.foldVersion !== FOLD_VERSION) {
      await this.rebuild(await newestValidLog(this.store.db, this.chain))
    }
    await this.readKinds()
    this.opened = true
    return true
  }

  private async cursor() {
    return this.store.db.selectFrom('cursor').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  }

  /** The head of the chain; far behind, the one of a moment ago, as asking for it before each range would cost the chain's answer. */
  private async headFrom(block: number): Promise<BlockHead> {
    const { last } = this
    const isGoodEnough = last && last.head.number - block > UNDO_WINDOW && performance.now() - last.at < FAR_HEAD_MS
    if (isGoodEnough) return last.head
    const head = await this.chain.head()
    this.last = { head, at: performance.now() }
    return head
  }

  /** Far behind: reads whole ranges by block number. */
  private async backfill(cursor: { block: number }, head: BlockHead, fold: Fold | undefined): Promise<boolean> {
    this.state = this.state === 'rebuilding' ? 'rebuilding' : 'syncing'
    const range = await this.ranges.next(cursor.block + 1, head.number - UNDO_WINDOW)
    if (!range) return true
    let kept = fold
    for (const part of partsOf(range, this.settings.logsPerWrite)) {
      kept = await applyRange(this.store, this.leadership, part, { fold: kept })
      this.note({ type: 'applied', block: part.head.number, logs: part.logs.length })
    }
    this.fold = kept
    return true
  }

  /**
   * The end has to be on the chain, which shows that the node was not behind it when it answered the logs. The local market's chain drops
   * old blocks without transactions, never `last`: a range that would end in one of them goes on to there.
   */
  private async readRange(from: number, to: number, last: number): ReturnType<ReadRange> {
    const logs = await this.logs(from, to)
    const end = await this.chain.find(to)
    if (end) return { logs, end }
    if (to === last) throw new Error(`the chain has no block ${to}`)
    return this.readRange(from, last, last)
  }

  /** Near the head: reads block by block, each linked to its predecessor by the parent hash, with logs of exactly these blocks. */
  private async follow(cursor: { block: number; blockHash: string }, head: BlockHead): Promise<boolean> {
    const from = cursor.block + 1
    const to = Math.min(head.number, from + this.liveBatch - 1)
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const heads = numbers.length === 1 && head.number === from ? [head] : await this.chain.blocks(numbers)
    let parent = cursor.blockHash
    for (const block of heads) {
      if (parent !== '' && block.parentHash !== parent) {
        if (block.number === from) return this.reorg(cursor.block)
        throw new Error(`blocks ${block.number - 1} and ${block.number} of the chain do not link: it changed while it was read`)
      }
      parent = block.hash
    }
    const logs = await this.logs(from, to).catch((error: unknown) => {
      this.liveBatch = Math.ceil((to - from) / 2) || 1
      throw error
    })
    this.liveBatch = Math.min(LIVE_BATCH, 2 * this.liveBatch)
    const byBlock = Map.groupBy(logs, (log) => log.block)
    for (const block of heads) {
      if (byBlock.has(block.number) || !this.addresses().some((address) => bloomHas(block.logsBloom, address))) continue
      // The block's own bloom filter indicates logs that the answer lacks: retry for this block alone.
      const again = await this.logs(block.number, block.number)
      if (again.length > 0) byBlock.set(block.number, again)
    }
    for (const block of heads) {
      const own = byBlock.get(block.number) ?? []
      if (own.some((log) => log.blockHash !== block.hash)) throw new Error(`logs of block ${block.number} are of another block`)
    }
    await applyBlocks(
      this.store,
      this.leadership,
      heads.map((head) => {
        const own = byBlock.get(head.number) ?? []
        return { head, logs: own, events: eventsOf(own, this.kinds) }
      }),
    )
    this.note({ type: 'applied', block: to, logs: logs.length })
    return to < head.number
  }

  /** Logs of all contracts; if the range names new ones, their logs too. */
  private async logs(from: number, to: number): Promise<RawLog[]> {
    for (;;) {
      const logs = await this.chain.logs(from, to, this.addresses())
      const known = this.kinds.size
      for (const log of logs) {
        const event = this.kinds.get(log.address) === 'access' ? decodeLog('access', log) : undefined
        if (event) for (const { address, kind } of namedContracts(event)) this.kinds.set(address, kind)
      }
      if (this.kinds.size === known) return logs
    }
  }

  /** Goes back to before a block with missing logs, or to the very beginning, so that they are read again. */
  private async closeGap(gap: number, from: number): Promise<void> {
    this.state = 'syncing'
    this.note({ type: 'gap', block: gap })
    const kept = await this.store.db
      .selectFrom('block')
      .selectAll()
      .where('number', '=', gap - 1)
      .executeTakeFirst()
    if (kept) {
      await rollbackTo(this.store, this.leadership, kept)
      await this.readKinds()
      this.note({ type: 'reorg', from, to: kept.number })
    } else await this.rebuild(-1)
  }

  private addresses(): string[] {
    return [...this.kinds.keys()]
  }

  private async reorg(from: number): Promise<boolean> {
    this.state = 'syncing'
    this.ranges.forget()
    this.logAudit = new LogAudit(this.store.db, this.chain)
    const ancestor = await commonAncestor(this.store.db, this.chain)
    if (ancestor) {
      await rollbackTo(this.store, this.leadership, ancestor)
      await this.readKinds()
      this.note({ type: 'reorg', from, to: ancestor.number })
      return true
    }
    const [genesis] = await this.chain.blocks([0])
    const { chainId, access, fromBlock } = this.settings
    if (genesis && genesis.hash !== (await this.cursor()).genesisHash) {
      const fresh = { chainId, access, block: fromBlock - 1, blockHash: '', blockTime: 0, foldVersion: FOLD_VERSION }
      await this.forgetChain({ ...fresh, genesisHash: genesis.hash })
      await this.readKinds()
      return true
    }
    await this.rebuild(await newestValidLog(this.store.db, this.chain))
    return true
  }

  /** Folds the stored logs again, up to a block that is still on the chain. */
  private async rebuild(keptLogsUpTo: number): Promise<void> {
    this.state = 'rebuilding'
    this.note({ type: 'rebuild', keptLogsUpTo })
    await clearDerived(this.store, this.leadership, keptLogsUpTo)
    await this.readKinds()
    await refold(this.store, this.leadership, this.kinds, this.settings.logsPerWrite ?? LOGS_PER_WRITE)
    const start = this.settings.fromBlock - 1
    await this.store.db
      .updateTable('cursor')
      .set((value) => ({
        foldVersion: FOLD_VERSION,
        block: value.case().when('block', '<', start).then(start).else(value.ref('block')).end(),
      }))
      .where('id', '=', 1)
      .execute()
  }

  /** A different chain under the same id: everything derived from the old one, deployments included, is meaningless here. */
  private async forgetChain(fresh: Omit<Awaited<ReturnType<Indexer['cursor']>>, 'id'>): Promise<void> {
    await clearDerived(this.store, this.leadership, -1)
    await this.store.db.transaction().execute(async (db) => {
      await this.leadership.fence(db)
      await db.deleteFrom('contract').execute()
      await db.deleteFrom('deploymentEvent').execute()
      await db.deleteFrom('deployment').execute()
      await db.updateTable('cursor').set(fresh).where('id', '=', 1).execute()
    })
  }

  private async readKinds(): Promise<void> {
    const stored = await this.store.db.selectFrom('contract').selectAll().execute()
    this.kinds = new Map([
      [this.settings.access, 'access' as const],
      ...this.settings.contracts,
      ...stored.map((row) => [row.address, row.kind as ContractKind] as const),
    ])
  }
}

/** A range, split at block boundaries where it is far longer than `most`, so that no transaction blocks other writers for long. */
function partsOf({ logs, end, events }: DecodedRange, most = LOGS_PER_WRITE): Applied[] {
  const parts: Applied[] = []
  let from = { log: 0, event: 0 }
  while (logs.length - from.log >= 2 * most) {
    const last = logs[from.log + most - 1] as RawLog
    const next = (list: readonly { block: number }[], start: number) => {
      const at = list.findIndex(({ block }, index) => index >= start && block > last.block)
      return at < 0 ? list.length : at
    }
    const to = { log: next(logs, from.log), event: next(events, from.event) }
    if (to.log === logs.length) break
    const head = { number: last.block, hash: last.blockHash, time: last.blockTime }
    parts.push({ head, logs: logs.slice(from.log, to.log), events: events.slice(from.event, to.event) })
    from = to
  }
  return [...parts, { head: end, logs: logs.slice(from.log), events: events.slice(from.event) }]
}
