import { insertChanges, type NewChange } from '../store/insertChanges.ts'
import { insertRows } from '../store/insertRows.ts'
import { type Database, inTransaction, type Session, type Store } from '../store/openStore.ts'
import type { BlockHead, RawLog } from './ChainSource.ts'
import { changeOf, resetChange } from './changeRows.ts'
import type { ChainEvent } from './decodeLog.ts'
import { Fold } from './Fold.ts'
import { foldEvents } from './foldEvents.ts'
import type { Leadership } from './Leadership.ts'
import { writeFold } from './writeFold.ts'

/** Block hashes and undo images are kept for this many blocks: the deepest reorg that is undone row by row. */
export const UNDO_WINDOW = 256
export type BlockPlace = Pick<BlockHead, 'number' | 'hash' | 'time'>

const KEPT_CHANGES = 20_000
const PRUNE_EVERY = 64

/** A block, or a range that ends with it, its logs, and the events that they are of. */
export interface Applied {
  head: BlockPlace
  logs: readonly RawLog[]
  events: readonly ChainEvent[]
}

/**
 * Atomically writes a range far behind the head: raw logs, rows and cursor. Logs that are already `stored` are only folded. Returns the fold
 * of the range that follows at once; `fold` is the one that the range before returned.
 */
export async function applyRange(
  store: Store,
  leadership: Leadership,
  { head, logs, events }: Applied,
  { fold = new Fold(), stored = false }: { fold?: Fold | undefined; stored?: boolean } = {},
): Promise<Fold> {
  await inTransaction(store, async (session) => {
    await leadership.fence(session.db)
    if (!stored) await insertRows(session, 'rawLog', logs)
    if (logs.length > 0) {
      await foldEvents(session, fold, events)
      await writeFold(session, fold, undefined)
      await insertChanges(session, [resetChange(head.number)])
    }
    // A range leaves no undo images: nothing before its end can be rolled back to.
    await session.db.deleteFrom('undo').execute()
    await session.db.deleteFrom('block').execute()
    await keepHashes(session, [head])
    await moveCursor(session.db, head)
  })
  return fold.next()
}

/** Atomically writes blocks near the head: each keeps undo images of its rows and publishes every change. */
export async function applyBlocks(store: Store, leadership: Leadership, blocks: readonly Applied[]): Promise<void> {
  const last = blocks.at(-1)?.head
  if (!last) return
  await inTransaction(store, async (session) => {
    await leadership.fence(session.db)
    const raw = blocks.flatMap(({ logs }) => logs)
    await insertRows(session, 'rawLog', raw)
    const changes: NewChange[] = []
    for (const { head, logs, events } of blocks) {
      if (logs.length === 0) continue
      const fold = new Fold()
      await foldEvents(session, fold, events)
      await writeFold(session, fold, head.number)
      for (const { table, key, row } of fold.changes()) {
        const change = changeOf(table, key, row, head.number)
        if (change) changes.push(change)
      }
    }
    await insertChanges(session, changes)
    const heads = blocks.map(({ head }) => head)
    await keepHashes(session, heads)
    await moveCursor(session.db, last)
    if (heads.some(({ number }) => number % PRUNE_EVERY === 0)) await prune(session.db, last.number)
  })
}

async function keepHashes(session: Session, heads: readonly BlockPlace[]): Promise<void> {
  const rows = heads.map(({ number, hash, time }) => ({ number, hash, time }))
  await insertRows(session, 'block', rows, ['number'])
}

export async function moveCursor(db: Database, head: BlockPlace): Promise<void> {
  await db
    .updateTable('cursor')
    .set({ block: head.number, blockHash: head.hash, blockTime: head.time })
    .where('id', '=', 1)
    .execute()
}

async function prune(db: Database, block: number): Promise<void> {
  await db
    .deleteFrom('undo')
    .where('block', '<', block - UNDO_WINDOW)
    .execute()
  await db
    .deleteFrom('block')
    .where('number', '<', block - UNDO_WINDOW)
    .execute()
  const newest = await db
    .selectFrom('change')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst()
  if (newest?.seq)
    await db
      .deleteFrom('change')
      .where('seq', '<=', Number(newest.seq) - KEPT_CHANGES)
      .execute()
}
