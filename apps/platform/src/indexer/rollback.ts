import { insertChanges } from '../store/insertChanges.ts'
import { insertRows } from '../store/insertRows.ts'
import { type Database, inTransaction, type Store } from '../store/openStore.ts'
import { type BlockPlace, moveCursor } from './applyRange.ts'
import type { BlockHead, ChainSource } from './ChainSource.ts'
import { changeOf, resetChange } from './changeRows.ts'
import { FOLD_KEYS, FOLD_TABLES, type FoldTable, keyColumns } from './foldTables.ts'
import type { Leadership } from './Leadership.ts'

/** The newest kept block that is still on the chain; `undefined` if the reorg is deeper than what is kept. */
export async function commonAncestor(db: Database, chain: ChainSource): Promise<BlockHead | undefined> {
  const kept = await db.selectFrom('block').selectAll().orderBy('number', 'desc').execute()
  const top = await chain.head()
  for (const block of kept) {
    if (block.number > top.number) continue
    const [now] = await chain.blocks([block.number])
    if (now?.hash === block.hash) return now
  }
  return undefined
}

/** Restores every row to its state at `ancestor`, and the cursor with it. */
export async function rollbackTo(store: Store, leadership: Leadership, ancestor: BlockPlace): Promise<void> {
  await inTransaction(store, async (session) => {
    const { db } = session
    await leadership.fence(db)
    const images = await db.selectFrom('undo').selectAll().where('block', '>', ancestor.number).orderBy('block', 'asc').execute()
    const oldest = new Map<string, (typeof images)[number]>()
    for (const image of images) {
      const key = `${image.tableName}:${image.rowKey}`
      if (!oldest.has(key)) oldest.set(key, image)
    }
    const changes = []
    const restored = new Map<FoldTable, object[]>()
    for (const image of oldest.values()) {
      const table = image.tableName as FoldTable
      const row = image.before === null ? undefined : (JSON.parse(image.before) as object)
      if (row) restored.set(table, [...(restored.get(table) ?? []), row])
      else await deleteRow(db, table, image.rowKey)
      if (table === 'order') changes.push(resetChange(ancestor.number))
      else changes.push(changeOf(table, image.rowKey, row ?? {}, ancestor.number))
    }
    for (const [table, rows] of restored) await insertRows(session, table, rows, FOLD_KEYS[table])
    await dropAbove(db, ancestor.number)
    await insertChanges(
      session,
      changes.filter((change) => change !== undefined),
    )
    await moveCursor(db, ancestor)
  })
}

/**
 * The start of a rebuild: deletes raw logs that are no longer on the chain and everything derived, so that the rest is folded again from
 * the raw logs.
 */
export async function clearDerived(store: Store, leadership: Leadership, keepLogsUpTo: number): Promise<void> {
  await inTransaction(store, async (session) => {
    const { db } = session
    await leadership.fence(db)
    for (const table of FOLD_TABLES) if (table !== 'contract') await db.deleteFrom(table).execute()
    for (const table of ['orderEvent', 'undo', 'block'] as const) await db.deleteFrom(table).execute()
    await db.deleteFrom('rawLog').where('block', '>', keepLogsUpTo).execute()
    await insertChanges(session, [resetChange(0)])
    // Until the rebuild completes, a restart begins it again.
    await db.updateTable('cursor').set({ block: -1, blockHash: '', blockTime: 0, foldVersion: 0 }).where('id', '=', 1).execute()
  })
}

/** The newest block with a stored log that is still on the chain, -1 if there is none. A block's logs are valid if its hash is. */
export async function newestValidLog(db: Database, chain: ChainSource): Promise<number> {
  const top = await chain.head()
  const blocks = await db
    .selectFrom('rawLog')
    .select(['block', 'blockHash'])
    .distinct()
    .where('block', '<=', top.number)
    .orderBy('block', 'asc')
    .execute()
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >> 1
    const candidate = blocks[middle] as (typeof blocks)[number]
    const [now] = await chain.blocks([candidate.block])
    if (now?.hash === candidate.blockHash) low = middle + 1
    else high = middle
  }
  return blocks[low - 1]?.block ?? -1
}

async function deleteRow(db: Database, table: FoldTable, key: string): Promise<void> {
  let query = db.deleteFrom(table)
  for (const [column, value] of keyColumns(table, key)) query = query.where(column as never, '=', value as never)
  await query.execute()
}

async function dropAbove(db: Database, block: number): Promise<void> {
  await db.deleteFrom('undo').where('block', '>', block).execute()
  await db.deleteFrom('rawLog').where('block', '>', block).execute()
  await db.deleteFrom('orderEvent').where('block', '>', block).execute()
  await db.deleteFrom('block').where('number', '>', block).execute()
}
