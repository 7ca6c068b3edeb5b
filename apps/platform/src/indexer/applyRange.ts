import { insertChanges } from '../store/insertChanges.ts'
import type { Database, Store } from '../store/openStore.ts'
import type { BlockHead, RawLog } from './ChainSource.ts'
import { changeOf, resetChange } from './changeRows.ts'
import type { ContractKind } from './decodeLog.ts'
import { foldLogs } from './foldLogs.ts'
import type { Leadership } from './Leadership.ts'
import { pages, writeFold } from './writeFold.ts'

/** Block hashes and undo images are kept for this many blocks: the deepest reorg that is taken back row by row. */
export const UNDO_WINDOW = 256
type BlockPlace = Pick<BlockHead, 'number' | 'hash' | 'time'>

const KEPT_CHANGES = 20_000
const PRUNE_EVERY = 64

export interface ApplyOptions {
  /** Live blocks keep undo images and name every change; a backfilled range says only "read everything again". */
  live: boolean
  /** Logs that are in the store already are only folded. */
  stored?: boolean
}

/** Writes the logs of a range that ends with `head`: raw logs, rows, cursor and changes, all or nothing. */
export async function applyRange(
  store: Store,
  leadership: Leadership,
  head: BlockPlace,
  logs: readonly RawLog[],
  kinds: ReadonlyMap<string, ContractKind>,
  options: ApplyOptions,
): Promise<void> {
  await store.db.transaction().execute(async (db) => {
    await leadership.fence(db)
    if (!options.stored) for (const page of pages(logs)) await db.insertInto('rawLog').values(page).execute()
    if (logs.length > 0) {
      const fold = await foldLogs(db, logs, kinds)
      await writeFold(db, fold, options.live ? head.number : undefined)
      if (options.live) {
        const changes = [...fold.changes()].map(({ table, key, row }) => changeOf(table, key, row, head.number))
        await insertChanges(
          db,
          store.kind,
          changes.filter((change) => change !== undefined),
        )
      } else await insertChanges(db, store.kind, [resetChange(head.number)])
    }
    await moveCursor(db, head)
    if (options.live || head.number % PRUNE_EVERY === 0) await keepHash(db, head)
    if (head.number % PRUNE_EVERY === 0) await prune(db, head.number)
  })
}

async function keepHash(db: Database, head: BlockPlace): Promise<void> {
  await db
    .insertInto('block')
    .values({ number: head.number, hash: head.hash, time: head.time })
    .onConflict((conflict) => conflict.column('number').doUpdateSet({ hash: head.hash, time: head.time }))
    .execute()
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
