import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When an order was first deployed. The rows get it when the indexer folds their logs again, for which FOLD_VERSION was raised. */
export function deployTime(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const order = (await db.introspection.getTables()).find(({ name }) => name === 'order')
      // For a time the first step made this column already.
      if (order?.columns.some(({ name }) => name === 'deployTime')) return
      await db.schema
        .alterTable('order')
        .addColumn('deployTime', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  }
}
