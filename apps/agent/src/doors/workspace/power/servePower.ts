import { encodeJson } from '@rackfair/protocol/frames'
import { type PowerAction, type PowerDone, powerRequest } from '@rackfair/protocol/workspaceRequests'
import { parseRequest } from '../parseRequest.ts'
import type { WorkspaceHandler } from '../WorkspaceChannel.ts'

/** Stop, start and restart, for who has a key of the order. */
export function createPowerHandler(power: (orderId: bigint, action: PowerAction) => Promise<void>): WorkspaceHandler {
  return async (orderId, request, channel) => {
    const { action } = parseRequest(powerRequest, request)
    await power(orderId, action)
    await channel.write(encodeJson({ done: true } satisfies PowerDone))
  }
}
