import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The shortest time for which a node is sold; 0 where it never said. Filled when the indexer folds the logs again. */
export function minTerm(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('node')
        .addColumn('minTerm', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  }
}
