import { type RawBuilder, sql } from 'kysely'
import type { Session } from './openStore.ts'
import { storable } from './storable.ts'
import type { Tables } from './tables.ts'

/**
 * Rows as one JSON parameter that the database reads as a table: the statement is the same for any number of rows, and no limit on
 * parameters applies. Bigints are sent as decimal strings, and texts with U+FFFD for characters that PostgreSQL refuses.
 */
export function jsonRows(
  session: Session,
  table: keyof Tables,
  columns: readonly string[],
  rows: readonly object[],
): RawBuilder<unknown> {
  const text = JSON.stringify(rows.map(storableRow))
  if (session.kind === 'postgres') return sql`json_populate_recordset(null::${sql.table(table)}, ${text}::json)`
  const read = columns.map((column) => sql`json_extract(value, ${sql.lit(`$.${column}`)}) as ${sql.ref(column)}`)
  return sql`(select ${sql.join(read)} from json_each(${text}))`
}

function storableRow(row: object): object {
  let plain: Record<string, unknown> | undefined
  for (const [column, value] of Object.entries(row)) {
    const sent = storable(value)
    if (sent === value) continue
    plain ??= { ...row }
    plain[column] = sent
  }
  return plain ?? row
}
