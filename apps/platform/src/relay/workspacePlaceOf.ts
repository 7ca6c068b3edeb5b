import type { WorkspacePlace } from '@rackfair/protocol/workspace'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Presence } from '../presence/Presence.ts'
import type { Database } from '../store/openStore.ts'

/** Where to reach the workspaces of a provider's orders: at the process that holds the agent's connection. */
export async function workspacePlaceOf(db: Database, presence: Presence, provider: LowerCaseAddress): Promise<WorkspacePlace> {
  const keys = await db
    .selectFrom('announcedKeys')
    .select(['text', 'signature'])
    .where('provider', '=', provider)
    .executeTakeFirst()
  const held = presence.isOnline(provider)
    ? await db
        .selectFrom('presence')
        .innerJoin('process', 'process.id', 'presence.holder')
        .select('process.url')
        .where('provider', '=', provider)
        .executeTakeFirst()
    : undefined
  return { keys: keys ?? null, url: held ? `${held.url.replace(/^http/, 'ws')}/v1/workspace/${provider}` : null }
}
