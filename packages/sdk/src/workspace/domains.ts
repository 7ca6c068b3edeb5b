import { decodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import { type OwnDomains, ownDomains } from '@rackfair/protocol/workspaceAnswers'
import { AppError } from '@rackfair/rules/errors/AppError'
import { toWorkspaceError } from './toWorkspaceError.ts'
import type { Workspace } from './Workspace.ts'

export type DomainsChange = { op: 'list' } | { op: 'add'; domain: string } | { op: 'remove'; domain: string }

/**
 * The domains of the renter that lead to an order; adds or removes one first. A domain is added once its CNAME points to `target`, or, where
 * it can have none, its addresses are those of `target` and the TXT record `_rackfair.<domain>` says `target`. It ends with the order.
 *
 * @throws AppError `domain_refused`, `domain_elsewhere`, `domain_taken`, `too_many_domains`, or why the workspace cannot be reached.
 * @example const { target } = await requestDomains(workspace, { op: 'list' })
 */
export async function requestDomains(workspace: Pick<Workspace, 'open'>, request: DomainsChange): Promise<OwnDomains> {
  const stream = await workspace.open('domains', request)
  try {
    for await (const { type, payload } of readFrames(stream.incoming))
      if (type === FRAME.json) return ownDomains(decodeJson(payload), 'domains')
  } catch (error) {
    throw toWorkspaceError(error)
  }
  throw new AppError('stream_interrupted', 'the agent did not answer', { retryable: true })
}
