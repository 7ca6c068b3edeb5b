import { CompiledQuery, sql } from 'kysely'
import type { Session } from './openStore.ts'
import { rowsOf } from './rowsOf.ts'
import { storable } from './storable.ts'
import type { Tables } from './tables.ts'

/** SQLite reads bound values several times faster than JSON; more rows than these in one statement gain nothing. */
const ROWS_AT_ONCE = 50

/** Inserts rows of one shape. With `keys`, rows with an existing key are replaced. */
export async function insertRows(
  session: Session,
  table: keyof Tables,
  rows: readonly object[],
  keys: readonly string[] = [],
): Promise<void> {
  const first = rows[0]
  if (!first) return
  const columns = Object.keys(first)
  if (session.kind === 'sqlite') return insertValues(session, table, columns, rows, keys)
  if (keys.length === 0) return copyRows(session, table, columns, rows)
  const list = sql.raw(listOf(columns))
  const source = rowsOf(session, table, columns, rows)
  const insert = sql`insert into ${sql.table(table)} (${list}) select ${list} from ${source} as source`
  await sql`${insert} ${sql.raw(replacing(columns, keys))}`.execute(session.db)
}

/** Several times cheaper for PostgreSQL than a statement that inserts, which cannot be had where rows may be there already. */
async function copyRows(
  { db }: Session,
  table: keyof Tables,
  columns: readonly string[],
  rows: readonly object[],
): Promise<void> {
  const lines = (rows as Record<string, unknown>[]).map((row) => columns.map((column) => copied(row[column])).join('\t'))
  await db.executeQuery(CompiledQuery.raw(`copy "${table}" (${listOf(columns)}) from stdin`, [`${lines.join('\n')}\n`]))
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A value in the text format of `copy`. */
function copied(value: unknown): string {
  const stored = storable(value)
  if (stored === null || stored === undefined) return '\\N'
  const text = String(stored)
  return /[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '') : text
}

async function insertValues(
  { db }: Session,
  table: keyof Tables,
  columns: readonly string[],
  rows: readonly object[],
  keys: readonly string[],
): Promise<void> {
  const row = `(${columns.map(() => '?').join()})`
  const statement = (count: number) =>
    `insert into "${table}" (${listOf(columns)}) values ${Array(count).fill(row).join()} ${replacing(columns, keys)}`
  const full = statement(ROWS_AT_ONCE)
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const part = rows.slice(start, start + ROWS_AT_ONCE) as Record<string, unknown>[]
    const values: unknown[] = []
    for (const each of part) for (const column of columns) values.push(bindable(each[column]))
    await db.executeQuery(CompiledQuery.raw(part.length === ROWS_AT_ONCE ? full : statement(part.length), values))
  }
}

/** A number is bound as a REAL, which a column of texts keeps as `1.0`. */
const bindable = (value: unknown) => (Number.isSafeInteger(value) ? BigInt(value as number) : storable(value))

const listOf = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join()

function replacing(columns: readonly string[], keys: readonly string[]): string {
  if (keys.length === 0) return ''
  const replaced = columns.filter((column) => !keys.includes(column)).map((column) => `"${column}" = excluded."${column}"`)
  return `on conflict (${listOf(keys)}) do update set ${replaced.join()}`
}
