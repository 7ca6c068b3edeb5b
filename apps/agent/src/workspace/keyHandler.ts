import { workspaceKeysRequest } from '@rackfair/core/wire'
import { utf8 } from '@rackfair/sealed'
import type { AdmittedSession } from './createOwnerAdmission.ts'
import type { WorkspaceKeys } from './createWorkspaceKeys.ts'
import { WorkspaceError, type WorkspaceHandler } from './WorkspaceChannel.ts'

/** The kind `keys`: an order's owner sees which browsers have a key, and takes it from them. Sessions of a revoked key end at once. */
export function createKeyHandler(keys: WorkspaceKeys, end: (orderId: bigint, key: string) => void) {
  return ({ user, key: own }: AdmittedSession): WorkspaceHandler =>
    async (orderId, request, channel) => {
      const parsed = workspaceKeysRequest.safeParse(request)
      if (!parsed.success) throw new WorkspaceError('bad_request', 'list, or revoke a key')
      const revoked = parsed.data.action === 'revoke' ? parsed.data.key : undefined
      if (revoked !== undefined) keys.revoke(orderId, revoked)
      await channel.write(utf8(JSON.stringify(keys.list(orderId, user, own))))
      // Whoever gives its own key back hears that it is gone, and then nothing more.
      if (revoked === own) channel.signal.addEventListener('abort', () => end(orderId, own))
      else if (revoked !== undefined) end(orderId, revoked)
    }
}
