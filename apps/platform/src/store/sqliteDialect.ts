import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Dialect, SqliteDialect } from 'kysely'

const KEPT_STATEMENTS = 500

/** kysely on Node's own SQLite: write-ahead log, waits for other writers, survives a kill at any moment. */
export function sqliteDialect(file: string): Dialect {
  return new SqliteDialect({ database: async () => openDatabase(file) })
}

function openDatabase(file: string) {
  const database = new DatabaseSync(file)
  database.exec(
    'pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma cache_size = -65536; pragma wal_autocheckpoint = 4000',
  )
  const kept = new Map<string, { statement: StatementSync; reader: boolean }>()
  const prepared = (sql: string) => {
    const known = kept.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    const entry = { statement, reader: statement.columns().length > 0 }
    if (kept.size >= KEPT_STATEMENTS) kept.clear()
    kept.set(sql, entry)
    return entry
  }
  return {
    close: () => database.close(),
    prepare(sql: string) {
      const { statement, reader } = prepared(sql)
      return {
        reader,
        all: (values: readonly unknown[]) => statement.all(...values.map(inputValue)).map(readRow),
        run(values: readonly unknown[]) {
          // On a full disk SQLite has already rolled back; the original error must not be replaced.
          if (sql === 'rollback' && !database.isTransaction) return { changes: 0, lastInsertRowid: 0n }
          const { changes, lastInsertRowid } = statement.run(...values.map(inputValue))
          return { changes: Number(changes), lastInsertRowid: BigInt(lastInsertRowid) }
        },
        *iterate(values: readonly unknown[]) {
          for (const row of statement.iterate(...values.map(inputValue))) yield readRow(row)
        },
      }
    },
  }
}

function inputValue(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return (value ?? null) as SQLInputValue
}

function readRow(row: Record<string, unknown>): Record<string, unknown> {
  for (const key in row) {
    const value = row[key]
    if (typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER)
      row[key] = Number(value)
  }
  return row
}
