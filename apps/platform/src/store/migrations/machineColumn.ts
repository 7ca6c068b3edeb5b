import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The capacity of an agent's machine, as announced when it connected. */
export function machineColumn(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('presence').addColumn('machine', 'text').execute()
    },
  }
}
