import { parseWorkspaceText } from '@rackfair/protocol/workspaceText'
import { serverSeconds } from '@rackfair/sdk/http'
import { keyName, makeWorkspaceKey as makeKey, type VisitPlace, type WorkspaceKey } from '@rackfair/sdk/workspace'
import type { Hex } from 'viem'
import { readKey, writeKey } from '../../platform/browser/keyStore.ts'

export { ticketLink, type VisitPlace } from '@rackfair/sdk/workspace'

/** A key that ends sooner is made anew. */
const LEAST_SECONDS = 600

/** Only pages with TLS and pages of this very machine can make keys. */
export const canMakeKeys = (): boolean => globalThis.crypto?.subtle !== undefined

/** The key that the wallet has signed for in this browser; undefined when it has to sign. */
export async function findWorkspaceKey(place: VisitPlace): Promise<WorkspaceKey | undefined> {
  const key = await readKey(keyName(place))
  // A text of an older form is not understood any more.
  return key && key.expiresAt - serverSeconds() > LEAST_SECONDS && parseWorkspaceText(key.grant) ? key : undefined
}

/** Makes a key that cannot leave this browser, and has the wallet sign for it. Undefined when the person says no. */
export async function makeWorkspaceKey(
  place: VisitPlace,
  signText: (text: string) => Promise<Hex | undefined>,
): Promise<WorkspaceKey | undefined> {
  const key = await makeKey(place, window.location.origin, signText)
  if (key) await writeKey(keyName(place), key)
  return key
}
