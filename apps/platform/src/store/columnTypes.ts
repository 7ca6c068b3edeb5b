import { type Kysely, sql } from 'kysely'

/** The type of each column of each table, as PostgreSQL spells it in a cast. */
export type ColumnTypes = ReadonlyMap<string, ReadonlyMap<string, string>>

export async function columnTypes<Tables>(db: Kysely<Tables>): Promise<ColumnTypes> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select relname as table, attname as column, format_type(atttypid, atttypmod) as type
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`.execute(db)
  const types = new Map<string, Map<string, string>>()
  for (const { table, column, type } of rows) types.set(table, (types.get(table) ?? new Map()).set(column, type))
  return types
}
