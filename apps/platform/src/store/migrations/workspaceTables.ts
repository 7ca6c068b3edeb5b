import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumns } from './columns.ts'

/** The keys that agents announce, and the URL for browsers of the process that holds an agent's connection. */
export function workspaceTables(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await addColumns(db.schema.createTable('announcedKeys'), 'text', 'provider text signature')
        .addPrimaryKeyConstraint('announcedKeys_key', ['provider'])
        .execute()
      await db.schema
        .alterTable('process')
        .addColumn('url', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
    },
  }
}
