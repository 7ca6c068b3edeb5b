import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What downtime reports say of an order, and its payment pending for one; filled by folding again. */
export function reportColumns(kind: 'sqlite' | 'postgres'): Migration {
  const money = kind === 'postgres' ? 'numeric(78, 0)' : 'text'
  return {
    async up(db: Kysely<unknown>) {
      for (const name of ['reportedUntil', 'downSince', 'pendingUntil'])
        await db.schema
          .alterTable('order')
          .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
          .execute()
      await db.schema
        .alterTable('order')
        .addColumn('pending', money, (column) => column.notNull().defaultTo('0'))
        .execute()
    },
  }
}
