import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumns } from './columns.ts'

/** Announced maintenance of nodes, folded from the chain like `chainTables`. */
export function maintenanceTable(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const maintenance = addColumns(db.schema.createTable('maintenance'), 'text', 'provider')
      await addColumns(maintenance, 'bigint', 'nodeId firstEpoch epochs times')
        .addPrimaryKeyConstraint('maintenance_key', ['provider', 'nodeId', 'firstEpoch', 'epochs'])
        .execute()
    },
  }
}
