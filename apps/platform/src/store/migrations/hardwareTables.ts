import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumns } from './columns.ts'

/** What monitors published about the hardware of nodes, each result with its signature. */
export function hardwareTables(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const result = addColumns(db.schema.createTable('hardwareResult'), 'text', 'monitor provider beacon drawn json')
      await addColumns(result, 'bigint', 'nodeId time')
        .addPrimaryKeyConstraint('hardwareResult_key', ['provider', 'nodeId', 'beacon', 'monitor'])
        .execute()
      await db.schema.createIndex('hardwareResult_time').on('hardwareResult').columns(['time']).execute()
    },
  }
}
