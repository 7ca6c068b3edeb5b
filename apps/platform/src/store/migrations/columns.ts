import type { CreateTableBuilder } from 'kysely'

type Table = CreateTableBuilder<string, string>

/** Adds non-null columns, all of one type. */
export function addColumns(table: Table, type: 'bigint' | 'text' | 'numeric(78, 0)', names: string): Table {
  return names
    .trim()
    .split(/\s+/)
    .reduce((built, name) => built.addColumn(name, type, (column) => column.notNull()), table)
}
