import { sql } from 'kysely'
import type { Session } from './openStore.ts'
import { rowsOf } from './rowsOf.ts'
import type { Tables } from './tables.ts'

/** The rows of a table with one of these keys, in any order. All `keys` have the same columns. */
export async function selectByKeys<Name extends keyof Tables>(
  session: Session,
  table: Name,
  keys: readonly object[],
): Promise<Tables[Name][]> {
  const columns = Object.keys(keys[0] ?? {})
  if (columns.length === 0) return []
  const same = sql.join(
    columns.map((column) => sql`${sql.ref(`row.${column}`)} = ${sql.ref(`wanted.${column}`)}`),
    sql` and `,
  )
  const wanted = rowsOf(session, table, columns, keys)
  const query = sql<Tables[Name]>`select row.* from ${wanted} as wanted cross join ${sql.table(table)} as row where ${same}`
  return (await query.execute(session.db)).rows
}
