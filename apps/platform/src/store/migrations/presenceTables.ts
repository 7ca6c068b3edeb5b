import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumns } from './columns.ts'

/** Presence by change of state, with the process that holds the connection, instead of a row that every heartbeat updates. */
export function presenceTables(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      let presence = addColumns(db.schema.createTable('presence'), 'text', 'provider holder version')
      presence = addColumns(presence, 'bigint', 'online lastSeen')
      await presence.addPrimaryKeyConstraint('presence_key', ['provider']).execute()
      await db.schema.createIndex('presence_holder').on('presence').columns(['holder', 'online']).execute()
      const running = addColumns(addColumns(db.schema.createTable('process'), 'text', 'id'), 'bigint', 'seenAt')
      await running.addPrimaryKeyConstraint('process_key', ['id']).execute()
      const columns = sql.join(['provider', 'holder', 'version', 'online', 'lastSeen'].map((name) => sql.ref(name)))
      await sql`insert into presence (${columns})
        select provider, '', version, 0, ${sql.ref('lastSeen')} from heartbeat`.execute(db)
      await db.schema.dropTable('heartbeat').execute()
    },
  }
}
