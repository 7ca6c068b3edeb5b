import {
  createWorkspace,
  findAgent,
  openSession,
  type VisitPlace,
  type Workspace,
  type WorkspaceKey,
} from '@rackfair/sdk/workspace'
import { api } from '../../platform/api/api.ts'
import type { Market } from '../../wallet/index.ts'

/** One for each key, however many parts of the page use it. */
const workspaces = new WeakMap<object, Workspace>()

/** The workspace that a key of this browser opens. Nothing is connected before the first stream. */
export function connectWorkspace(place: VisitPlace, key: WorkspaceKey, market: Market): Workspace {
  const known = workspaces.get(key)
  if (known) return known
  const { chainId } = place
  const provider = place.provider as `0x${string}`
  const finder = { ...market, api, platform: window.location.origin }
  const made = createWorkspace(async () => openSession(await findAgent(finder, provider), key, { chainId, provider }))
  workspaces.set(key, made)
  return made
}
