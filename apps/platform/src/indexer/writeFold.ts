import { insertRows } from '../store/insertRows.ts'
import type { Session } from '../store/openStore.ts'
import type { Fold } from './Fold.ts'
import { FOLD_KEYS, type FoldTable } from './foldTables.ts'

/** Writes the rows of a batch. With `undoBlock` the before-images are kept; for each row, the first one wins. */
export async function writeFold(session: Session, fold: Fold, undoBlock: number | undefined): Promise<void> {
  const rows = new Map<FoldTable, object[]>()
  const undo = []
  for (const { table, key, row, before } of fold.changes()) {
    const written = rows.get(table) ?? []
    written.push(row)
    rows.set(table, written)
    if (undoBlock !== undefined)
      undo.push({ block: undoBlock, tableName: table, rowKey: key, before: before ? imageText(before) : null })
  }
  for (const [table, written] of rows) await insertRows(session, table, written, FOLD_KEYS[table])
  await insertRows(session, 'orderEvent', fold.orderEvents)
  await insertRows(session, 'undo', undo)
}

function imageText(row: object): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}
