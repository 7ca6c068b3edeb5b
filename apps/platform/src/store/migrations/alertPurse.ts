import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The purse of an alert's owner, whose orders it is told of too; null until the alerts are next looked at. */
export function alertPurse(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('alertRule').addColumn('purse', 'text').execute()
      await db.schema.createIndex('alertRule_purse').on('alertRule').column('purse').execute()
    },
  }
}
