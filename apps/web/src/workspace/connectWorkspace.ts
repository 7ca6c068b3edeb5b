import type { Market } from '../wallet/market.ts'
import { createWorkspace } from './createWorkspace.ts'
import { findAgent } from './findAgent.ts'
import type { WorkspaceKey } from './keyStore.ts'
import { openSession } from './openSession.ts'
import type { Workspace } from './Workspace.ts'
import type { VisitPlace } from './workspaceKey.ts'

/** One for each key, however many parts of the page use it. */
const workspaces = new WeakMap<object, Workspace>()

/** The workspace that a key of this browser opens. Nothing is connected before the first stream. */
export function connectWorkspace(place: VisitPlace, key: WorkspaceKey, market: Market): Workspace {
  const known = workspaces.get(key)
  if (known) return known
  const { chainId } = place
  const provider = place.provider as `0x${string}`
  const made = createWorkspace(async () => openSession(await findAgent(market, provider), key, { chainId, provider }))
  workspaces.set(key, made)
  return made
}
