import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumns } from './columns.ts'

/**
 * Monitors, their reports and findings, folded from the chain like `chainTables`; and what they published under their roots, which only
 * counts if its root is the one on the chain.
 */
export function uptimeTables(kind: 'sqlite' | 'postgres'): Migration {
  const money = kind === 'postgres' ? 'numeric(78, 0)' : 'text'
  return {
    async up(db: Kysely<unknown>) {
      const table = (name: string) => db.schema.createTable(name)

      const monitor = addColumns(addColumns(table('monitor'), 'text', 'address url'), money, 'bond')
      await addColumns(monitor, 'bigint', 'joinedAt leftAt slashedAt')
        .addPrimaryKeyConstraint('monitor_key', ['address'])
        .execute()

      const report = addColumns(table('monitorReport'), 'text', 'monitor root commitHash revealHash')
      await addColumns(report, 'bigint', 'period committedAt revealedAt')
        .addPrimaryKeyConstraint('monitorReport_key', ['monitor', 'period'])
        .execute()

      const finding = addColumns(table('finding'), 'text', 'market provider down state foundHash finalHash')
      await addColumns(finding, 'bigint', 'orderId period nodeId finalAt total')
        .addPrimaryKeyConstraint('finding_key', ['orderId', 'period'])
        .execute()
      await db.schema.createIndex('finding_node').on('finding').columns(['provider', 'nodeId']).execute()

      const observation = addColumns(table('observation'), 'text', 'monitor market root observed down proof')
      await addColumns(observation, 'bigint', 'period orderId')
        .addPrimaryKeyConstraint('observation_key', ['orderId', 'period', 'monitor'])
        .execute()
      await db.schema.createIndex('observation_period').on('observation').columns(['period', 'monitor']).execute()
      await db.schema.createIndex('order_node').on('order').columns(['provider', 'nodeId']).execute()
    },
  }
}
