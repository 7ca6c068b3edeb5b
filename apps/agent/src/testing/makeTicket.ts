import { randomBytes, webcrypto } from 'node:crypto'
import type { VisitTicket } from '@rackfair/protocol/workspace'
import { formatVisitTicket, formatWorkspaceText, type WorkspaceGrant } from '@rackfair/protocol/workspaceText'
import type { LocalAccount } from 'viem'

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** Created once per order by a browser: its own key, and a grant for it. `sign` is the wallet's. */
export async function makeWorkspaceKey(
  wallet: Pick<LocalAccount, 'address' | 'signMessage'>,
  facts: Pick<WorkspaceGrant, 'orderId' | 'provider' | 'gateway' | 'chainId' | 'site'> & Partial<WorkspaceGrant>,
) {
  const pair = await webcrypto.subtle.generateKey(P256, false, ['sign', 'verify'])
  const issuedAt = Math.floor(Date.now() / 1000)
  const grant = formatWorkspaceText({
    wallet: wallet.address,
    key: Buffer.from(await webcrypto.subtle.exportKey('raw', pair.publicKey)).toString('base64url'),
    nonce: randomBytes(8).toString('hex'),
    issuedAt,
    expiresAt: issuedAt + 7 * 86_400,
    ...facts,
  })
  return { pair, grant, signature: await wallet.signMessage({ message: grant }), orderId: facts.orderId, gateway: facts.gateway }
}
export type WorkspaceKey = Awaited<ReturnType<typeof makeWorkspaceKey>>

/** A ticket for one visit, signed with the key of a browser. */
export async function makeTicket(key: WorkspaceKey, change: { time?: number; gateway?: string } = {}): Promise<VisitTicket> {
  const { grant, signature, orderId, pair } = key
  const nonce = randomBytes(16).toString('hex')
  const { time = Math.floor(Date.now() / 1000), gateway = key.gateway } = change
  const text = Buffer.from(formatVisitTicket({ orderId, gateway, nonce, time }))
  const proof = await webcrypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, text)
  return { grant, signature, nonce, time, proof: Buffer.from(proof).toString('base64url') }
}
