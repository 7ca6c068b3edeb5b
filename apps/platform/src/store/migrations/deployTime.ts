import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When an order was first deployed. Filled when the indexer folds the logs again, for which FOLD_VERSION was raised. */
export function deployTime(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const order = (await db.introspection.getTables()).find(({ name }) => name === 'order')
      // An earlier version of the first step already created this column.
      if (order?.columns.some(({ name }) => name === 'deployTime')) return
      await db.schema
        .alterTable('order')
        .addColumn('deployTime', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  }
}
