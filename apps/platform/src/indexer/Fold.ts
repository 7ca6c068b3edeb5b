import type { Session } from '../store/openStore.ts'
import { selectByKeys } from '../store/selectByKeys.ts'
import type { OrderEventTable } from '../store/tables.ts'
import { type FoldRow, type FoldTable, keyColumns, rowKey } from './foldTables.ts'

type AnyRow = FoldRow<FoldTable>

const MAX_INTEGER = 2n ** 63n - 1n

/** A fold that holds more rows is replaced by an empty one. */
const MAX_KEPT_ROWS = 50_000

/** Thrown if an event builds on a row that no earlier event created. */
export class MissingRow extends Error {}

/**
 * The rows of one batch. Handlers read and write here synchronously; the rows they need are loaded before. A loaded row is never changed in
 * place, so it remains the before-image of the batch.
 */
export class Fold {
  orderEvents: OrderEventTable[] = []
  private readonly loaded = new Map<FoldTable, Map<string, AnyRow | undefined>>()
  private readonly written = new Map<FoldTable, Map<string, AnyRow>>()

  /** Reads the rows with these keys in one query per table. */
  async load(session: Session, table: FoldTable, keys: Iterable<string>): Promise<void> {
    const rows = this.tableOf(this.loaded, table)
    const missing = [...new Set(keys)].filter((key) => !rows.has(key))
    const possible = missing.map((key) => keyColumns(table, key)).filter((columns) => columns.every(isStorable))
    const wanted = possible.map((columns) => Object.fromEntries(columns))
    for (const row of await selectByKeys(session, table, wanted)) rows.set(rowKey(table, row), row)
    for (const key of missing) if (!rows.has(key)) rows.set(key, undefined)
  }

  find<Name extends FoldTable>(table: Name, key: string): FoldRow<Name> | undefined {
    const written = this.written.get(table)?.get(key)
    if (written) return written as FoldRow<Name>
    const rows = this.loaded.get(table)
    if (!rows?.has(key)) throw new Error(`row ${key} of ${table} was not loaded`)
    return rows.get(key) as FoldRow<Name> | undefined
  }

  get<Name extends FoldTable>(table: Name, key: string): FoldRow<Name> {
    const row = this.find(table, key)
    if (!row) throw new MissingRow(`an event names row ${key} of ${table}, which does not exist`)
    return row
  }

  put<Name extends FoldTable>(table: Name, row: FoldRow<Name>): void {
    this.tableOf(this.written, table).set(rowKey(table, row), row)
  }

  patch<Name extends FoldTable>(table: Name, key: string, change: Partial<FoldRow<Name>>): void {
    const row = this.get(table, key)
    // A handler may have put the loaded row itself.
    if (row === this.written.get(table)?.get(key) && row !== this.loaded.get(table)?.get(key)) Object.assign(row, change)
    else this.put(table, { ...row, ...change })
  }

  /** For the next batch, once this one is committed: what was written need not be loaded again. */
  next(): Fold {
    let kept = 0
    for (const rows of this.loaded.values()) kept += rows.size
    if (kept > MAX_KEPT_ROWS) return new Fold()
    for (const [table, rows] of this.written) {
      const loaded = this.tableOf(this.loaded, table)
      for (const [key, row] of rows) loaded.set(key, row)
    }
    this.written.clear()
    this.orderEvents = []
    return this
  }

  /** The rows to write, with their before-images. */
  *changes(): Iterable<{ table: FoldTable; key: string; row: AnyRow; before: AnyRow | undefined }> {
    for (const [table, rows] of this.written) {
      for (const [key, row] of rows) yield { table, key, row, before: this.loaded.get(table)?.get(key) }
    }
  }

  private tableOf<Value>(tables: Map<FoldTable, Map<string, Value>>, table: FoldTable): Map<string, Value> {
    const known = tables.get(table)
    if (known) return known
    const rows = new Map<string, Value>()
    tables.set(table, rows)
    return rows
  }
}

/** Anybody can put any uint64 into an event. Those beyond a bigint name no row, and PostgreSQL refuses to compare with them. */
function isStorable([, value]: [column: string, value: string]): boolean {
  return !/^\d{19,}$/.test(value) || BigInt(value) <= MAX_INTEGER
}
