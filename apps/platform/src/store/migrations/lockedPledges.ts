import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The locked part of a pledge, and the orders that a provider never started; filled by folding again. */
export function lockedPledges(kind: 'sqlite' | 'postgres'): Migration {
  const money = kind === 'postgres' ? 'numeric(78, 0)' : 'text'
  return {
    async up(db: Kysely<unknown>) {
      for (const table of ['pledge', 'pledgeAccount', 'pledgeMove']) {
        await db.schema
          .alterTable(table)
          .addColumn('locked', money, (column) => column.notNull().defaultTo('0'))
          .execute()
      }
      await db.schema
        .alterTable('provider')
        .addColumn('ordersMissed', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  }
}
