import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What an agent tells of an application that a renter brought: its digest, how far it is fetched, its ports. */
export function detailsColumn(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('deployment').addColumn('details', 'text').execute()
    },
  }
}
