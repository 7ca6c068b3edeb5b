import type { Database } from '../store/openStore.ts'
import type { Fold } from './Fold.ts'
import { FOLD_KEYS, type FoldTable } from './foldTables.ts'

const ROWS_PER_STATEMENT = 200

/** Writes the rows of a batch. With `undoBlock` the before-images are kept, the first of each row winning. */
export async function writeFold(db: Database, fold: Fold, undoBlock: number | undefined): Promise<void> {
  const rows = new Map<FoldTable, object[]>()
  const undo = []
  for (const { table, key, row, before } of fold.changes()) {
    const written = rows.get(table) ?? []
    written.push(row)
    rows.set(table, written)
    if (undoBlock !== undefined)
      undo.push({ block: undoBlock, tableName: table, rowKey: key, before: before ? imageText(before) : null })
  }
  for (const [table, written] of rows) await upsert(db, table, written)
  for (const page of pages(fold.orderEvents)) await db.insertInto('orderEvent').values(page).execute()
  for (const page of pages(undo)) await db.insertInto('undo').values(page).execute()
}

/** Inserts rows, replacing those with the same key. */
export async function upsert(db: Database, table: FoldTable, rows: readonly object[]): Promise<void> {
  const keys: readonly string[] = FOLD_KEYS[table]
  const first = rows[0]
  if (!first) return
  const rest = Object.keys(first).filter((column) => !keys.includes(column))
  for (const page of pages(rows)) {
    await db
      .insertInto(table)
      .values(page as never)
      .onConflict((conflict) =>
        conflict
          .columns(keys as never)
          .doUpdateSet(((excluded: { ref(name: string): unknown }) =>
            Object.fromEntries(rest.map((column) => [column, excluded.ref(`excluded.${column}`)]))) as never),
      )
      .execute()
  }
}

export function* pages<Row>(rows: readonly Row[]): Iterable<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) yield rows.slice(start, start + ROWS_PER_STATEMENT)
}

function imageText(row: object): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}
