import { sql } from 'kysely'
import { jsonRows } from './jsonRows.ts'
import type { Session } from './openStore.ts'
import type { Tables } from './tables.ts'

/** Inserts rows of one shape in one statement. With `keys`, rows with an existing key are replaced. */
export async function insertRows(
  session: Session,
  table: keyof Tables,
  rows: readonly object[],
  keys: readonly string[] = [],
): Promise<void> {
  const first = rows[0]
  if (!first) return
  const columns = Object.keys(first)
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const replaced = columns.filter((column) => !keys.includes(column))
  const set = sql.join(replaced.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))
  const target = sql.join(keys.map((column) => sql.ref(column)))
  const conflict = keys.length === 0 ? sql`` : sql`on conflict (${target}) do update set ${set}`
  const source = jsonRows(session, table, columns, rows)
  // SQLite cannot tell a join from a conflict clause without a where clause in between.
  await sql`insert into ${sql.table(table)} (${list}) select ${list} from ${source} as source where true ${conflict}`.execute(
    session.db,
  )
}
