import { encodeJson } from '@rackfair/protocol/frames'
import { type PowerAction, type PowerDone, powerRequest } from '@rackfair/protocol/workspaceRequests'
import { parseRequest } from '../parseRequest.ts'
import type { WorkspaceHandler } from '../WorkspaceChannel.ts'

/** Stop, start and restart, for who has a key of the order. */
export function createPowerHandler(
  power: (orderId: bigint, action: PowerAction, service?: string) => Promise<void>,
): WorkspaceHandler {
  return async (orderId, request, channel) => {
    const { action, service } = parseRequest(powerRequest, request)
    await power(orderId, action, service)
    await channel.write(encodeJson({ done: true } satisfies PowerDone))
  }
}
