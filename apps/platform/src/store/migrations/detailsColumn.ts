import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What an agent reports of a renter's own application: its digest, download progress, ports. */
export function detailsColumn(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('deployment').addColumn('details', 'text').execute()
    },
  }
}
