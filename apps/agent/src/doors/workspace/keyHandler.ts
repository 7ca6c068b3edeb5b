import { workspaceKeysRequest } from '@rackfair/protocol/workspace'
import { utf8 } from '@rackfair/sealed'
import type { AdmittedSession } from '../owner/createOwnerAdmission.ts'
import type { WorkspaceKeys } from '../owner/createWorkspaceKeys.ts'
import { WorkspaceError, type WorkspaceHandler } from './WorkspaceChannel.ts'

/** The kind `keys`: an order's owner sees which browsers have a key, and takes it from them. Sessions of a revoked key end at once. */
export function createKeyHandler(keys: WorkspaceKeys, end: (orderId: bigint, key: string) => void) {
  return ({ user, key: own }: AdmittedSession): WorkspaceHandler =>
    async (orderId, request, channel) => {
      const parsed = workspaceKeysRequest.safeParse(request)
      if (!parsed.success) throw new WorkspaceError('bad_request', 'list, or revoke a key')
      const revoked = parsed.data.action === 'revoke' ? parsed.data.key : undefined
      const revoke = (key: string) => {
        keys.revoke(orderId, key)
        end(orderId, key)
      }
      if (revoked !== undefined && revoked !== own) revoke(revoked)
      const rows = keys.list(orderId, user, own)
      if (revoked !== own) return channel.write(utf8(JSON.stringify(rows)))
      // Whoever gives its own key back hears that it is gone, and then nothing more: revoked before, its session could end without a word.
      channel.signal.addEventListener('abort', () => revoke(own))
      const gone = rows.map((row) => (row.own ? { ...row, revokedAt: row.revokedAt ?? Math.floor(Date.now() / 1000) } : row))
      await channel.write(utf8(JSON.stringify(gone)))
    }
}
