import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the computer of an agent has, as it said when it connected. */
export function machineColumn(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('presence').addColumn('machine', 'text').execute()
    },
  }
}
