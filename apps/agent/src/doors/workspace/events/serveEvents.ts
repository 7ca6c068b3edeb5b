import type { DeploymentWire } from '@rackfair/protocol/deployments'
import { encodeJson } from '@rackfair/protocol/frames'
import { eventsRequest } from '@rackfair/protocol/workspaceRequests'
import { parseRequest } from '../parseRequest.ts'
import type { WorkspaceHandler } from '../WorkspaceChannel.ts'

/** What happened to the applications of an order, from the agent's own memory: the platform knows of the latest deployment only. */
export function createEventsHandler(deploymentsOf: (orderId: bigint) => readonly DeploymentWire[]): WorkspaceHandler {
  return async (orderId, request, channel) => {
    parseRequest(eventsRequest, request)
    for (const deployment of deploymentsOf(orderId)) await channel.write(encodeJson(deployment))
  }
}
