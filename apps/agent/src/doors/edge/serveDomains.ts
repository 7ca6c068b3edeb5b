import { encodeJson } from '@rackfair/protocol/frames'
import { domainsRequest } from '@rackfair/protocol/workspaceRequests'
import { parseRequest } from '../workspace/parseRequest.ts'
import type { WorkspaceHandler } from '../workspace/WorkspaceChannel.ts'
import type { Domains } from './createOwnDomains.ts'

/** The renter's own domains, for who has a key of the order. */
export function createDomainsHandler(domains: Pick<Domains, 'list' | 'add' | 'remove'>): WorkspaceHandler {
  return async (orderId, request, channel) => {
    const asked = parseRequest(domainsRequest, request)
    if (asked.op === 'add') await domains.add(orderId, asked.domain)
    if (asked.op === 'remove') domains.remove(orderId, asked.domain)
    await channel.write(encodeJson(domains.list(orderId)))
  }
}
