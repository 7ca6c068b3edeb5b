import { type RawBuilder, sql } from 'kysely'
import type { Session } from './openStore.ts'
import type { Tables } from './tables.ts'

/** NUL, and half of a surrogate pair: PostgreSQL refuses both, and with them every other row of the statement. */
const REFUSED = /[\0\p{Cs}]/gu

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
  const text = JSON.stringify(rows.map(storable))
  if (session.kind === 'postgres') return sql`json_populate_recordset(null::${sql.table(table)}, ${text}::json)`
  const read = columns.map((column) => sql`json_extract(value, ${sql.lit(`$.${column}`)}) as ${sql.ref(column)}`)
  return sql`(select ${sql.join(read)} from json_each(${text}))`
}

function storable(row: object): object {
  let plain: Record<string, unknown> | undefined
  for (const [column, value] of Object.entries(row)) {
    const sent = typeof value === 'bigint' ? String(value) : typeof value === 'string' ? value.replace(REFUSED, '\uFFFD') : value
    if (sent === value) continue
    plain ??= { ...row }
    plain[column] = sent
  }
  return plain ?? row
}
