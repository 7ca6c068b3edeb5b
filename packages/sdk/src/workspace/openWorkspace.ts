import { readOrder } from '@rackfair/protocol/orders'
import { parseWorkspaceText } from '@rackfair/protocol/workspaceText'
import { visitLink } from '@rackfair/rules/deployment/visitUrl'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Renter } from '../market/connectMarket.ts'
import { signAsUser, userOf } from '../purse/asUser.ts'
import { serverSeconds } from '../serverClock.ts'
import { createWorkspace } from './createWorkspace.ts'
import { findAgent } from './findAgent.ts'
import { openSession } from './openSession.ts'
import type { Workspace } from './Workspace.ts'
import { keyName, makeWorkspaceKey, type VisitPlace, type WorkspaceKey } from './workspaceKey.ts'

/** Where a program keeps its keys between runs; see `exportWorkspaceKey`. */
export interface WorkspaceKeyStore {
  read(name: string): Promise<WorkspaceKey | undefined>
  write(name: string, key: WorkspaceKey): Promise<void>
}

/** A key that expires sooner is replaced. */
const LEAST_SECONDS = 600
/** Codes after which a new key may be accepted. */
const KEY_IS_OVER: ReadonlySet<unknown> = new Set(['key_revoked', 'key_expired', 'text_too_old', 'order_not_owned'])

/**
 * The workspace of an order for a program: signs for a key of its own, without a prompt. Connects with the first stream. Call `close()`, or
 * the process stays alive for half a minute after its last stream.
 *
 * @param options.keys keeps the key for the next run. An order has room for 16 keys: a program that runs often without a store pushes out
 * those of browsers.
 * @throws AppError `not_found`, `platform_unreachable` (retryable).
 * @example const workspace = await openWorkspace(renter, 12n)
 */
export async function openWorkspace(
  renter: Renter,
  orderId: bigint,
  options: { keys?: WorkspaceKeyStore } = {},
): Promise<Workspace> {
  const { api, chainId } = renter
  const order = readOrder(await api.order(String(orderId)))
  const { provider } = order
  const place = { chainId, orderId: order.id, wallet: userOf(renter), provider, link: visitLink(order, null) }
  let key = await findKey(place, options.keys)
  return createWorkspace(async () => {
    const isOld = key !== undefined
    const agent = await findAgent(renter, provider)
    key ??= await makeKey(renter, place, options.keys)
    const open = (used: WorkspaceKey) => openSession(agent, used, { chainId, provider, WebSocket: renter.WebSocket })
    try {
      return await open(key)
    } catch (error) {
      if (!isOld || !KEY_IS_OVER.has((error as { code?: unknown }).code)) throw error
      key = await makeKey(renter, place, options.keys)
      return open(key)
    }
  })
}

async function findKey(place: VisitPlace, keys: WorkspaceKeyStore | undefined): Promise<WorkspaceKey | undefined> {
  const key = await keys?.read(keyName(place))
  return key && key.expiresAt - serverSeconds() > LEAST_SECONDS && parseWorkspaceText(key.grant) ? key : undefined
}

async function makeKey(renter: Renter, place: VisitPlace, keys: WorkspaceKeyStore | undefined): Promise<WorkspaceKey> {
  const made = await makeWorkspaceKey(place, renter.api.platform(), (text) => signAsUser(renter, text), {
    extractable: keys !== undefined,
  })
  if (!made) throw new AppError('user_rejected', 'the workspace was not signed for')
  await keys?.write(keyName(place), made)
  return made
}
