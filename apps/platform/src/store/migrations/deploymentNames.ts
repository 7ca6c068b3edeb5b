import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The names under which programs ask for a deployment once. */
export function deploymentNames(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('deployment').addColumn('once', 'text').execute()
      await db.schema.alterTable('deployment').addColumn('asked', 'text').execute()
      await db.schema.createIndex('deployment_once').on('deployment').column('once').unique().execute()
    },
  }
}
