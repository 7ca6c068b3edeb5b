import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumns } from './columns.ts'

/** The alerts of accounts, and their pending messages. */
export function alertTables(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const table = (name: string) => db.schema.createTable(name)
      const rule = addColumns(table('alertRule'), 'text', 'id owner kind target events locale secret token')
      await addColumns(rule, 'bigint', 'createdAt confirmed').addPrimaryKeyConstraint('alertRule_key', ['id']).execute()
      await db.schema.createIndex('alertRule_owner').on('alertRule').column('owner').execute()
      await db.schema.createIndex('alertRule_token').on('alertRule').column('token').unique().execute()

      const delivery = addColumns(table('alertDelivery'), 'text', 'id ruleId body state')
      await addColumns(delivery, 'bigint', 'createdAt dueAt attempts')
        .addColumn('error', 'text')
        .addPrimaryKeyConstraint('alertDelivery_key', ['id'])
        .execute()
      await db.schema.createIndex('alertDelivery_due').on('alertDelivery').columns(['state', 'dueAt']).execute()
      await db.schema.createIndex('alertDelivery_rule').on('alertDelivery').columns(['ruleId', 'createdAt']).execute()
      await db.schema.createIndex('deployment_user').on('deployment').columns(['user', 'phase']).execute()
    },
  }
}
