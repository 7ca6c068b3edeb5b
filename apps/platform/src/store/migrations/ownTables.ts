import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumns } from './columns.ts'

/** What only the platform knows: sign-ins, heartbeats, deployments, the newsletter. Never touched by a resync. */
export function ownTables(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const table = (name: string) => db.schema.createTable(name)
      const int = (t: ReturnType<typeof table>, names: string) => addColumns(t, 'bigint', names)
      const text = (t: ReturnType<typeof table>, names: string) => addColumns(t, 'text', names)

      await int(text(table('nonce'), 'nonce'), 'expires')
        .addPrimaryKeyConstraint('nonce_key', ['nonce'])
        .execute()
      await int(text(table('session'), 'tokenHash address'), 'expires')
        .addPrimaryKeyConstraint('session_key', ['tokenHash'])
        .execute()
      await int(text(table('heartbeat'), 'provider version'), 'lastSeen signedTime')
        .addPrimaryKeyConstraint('heartbeat_key', ['provider'])
        .execute()

      const deployment = int(text(table('deployment'), 'id orderId user provider phase textHash'), 'deployId requestedAt expires')
        .addColumn('agentId', 'text')
        .addColumn('runningAt', 'bigint')
        .addColumn('visitUrl', 'text')
        .addColumn('request', 'text')
      await deployment.addPrimaryKeyConstraint('deployment_key', ['id']).execute()
      await db.schema.createIndex('deployment_text').on('deployment').column('textHash').unique().execute()
      await db.schema.createIndex('deployment_order').on('deployment').columns(['orderId', 'requestedAt']).execute()
      await db.schema.createIndex('deployment_provider').on('deployment').columns(['provider', 'phase']).execute()
      await db.schema.createIndex('deployment_running').on('deployment').column('runningAt').execute()

      const event = int(text(table('deploymentEvent'), 'deploymentId phase'), 'position at')
        .addColumn('code', 'text')
        .addColumn('message', 'text')
      await event.addPrimaryKeyConstraint('deploymentEvent_key', ['deploymentId', 'position']).execute()

      await int(text(table('newsletter'), 'email locale'), 'createdAt')
        .addPrimaryKeyConstraint('newsletter_key', ['email'])
        .execute()
    },
  }
}
