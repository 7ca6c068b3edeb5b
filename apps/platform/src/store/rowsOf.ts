import { type RawBuilder, sql } from 'kysely'
import type { Session } from './openStore.ts'
import { storable } from './storable.ts'
import type { Tables } from './tables.ts'

/**
 * Rows that the database reads as a table: for PostgreSQL an array of each column's values, for SQLite JSON. The statement is the same for
 * any number of rows, and no limit on parameters applies. Bigints are sent as decimal strings, and texts with U+FFFD for characters that
 * PostgreSQL refuses.
 */
export function rowsOf(
  { types }: Session,
  table: keyof Tables,
  columns: readonly string[],
  rows: readonly object[],
): RawBuilder<unknown> {
  const value = (row: object, column: string) => storable((row as Record<string, unknown>)[column])
  if (types) {
    const array = (column: string) => {
      const type = types.get(table)?.get(column) ?? 'text'
      return sql`${arrayText(rows.map((row) => value(row, column)))}::${sql.raw(type)}[]`
    }
    const names = sql.join(columns.map((column) => sql.ref(column)))
    return sql`(select * from unnest(${sql.join(columns.map(array))}) as rows (${names}))`
  }
  const text = JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((column) => [column, value(row, column)]))))
  const read = columns.map((column) => sql`json_extract(value, ${sql.lit(`$.${column}`)}) as ${sql.ref(column)}`)
  return sql`(select ${sql.join(read)} from json_each(${text}))`
}

/** Values as PostgreSQL reads an array. Hardly any has a character to escape, so they are looked at together. */
function arrayText(values: readonly unknown[]): string {
  const isPlain = !/["\\]/.test(values.join('')) && values.every(isGiven)
  if (isPlain) return `{"${values.join('","')}"}`
  return `{${values.map((value) => (isGiven(value) ? `"${String(value).replace(/["\\]/g, '\\$&')}"` : 'NULL'))}}`
}

const isGiven = (value: unknown) => value !== null && value !== undefined
