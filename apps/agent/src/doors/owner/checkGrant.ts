import { webcrypto } from 'node:crypto'
import { MAX_WORKSPACE_SECONDS, type WorkspaceGrant } from '@rackfair/protocol/workspaceText'
import { type LowerCaseAddress, toAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'

/** As for a deploy text: clocks differ. */
const MAX_AGE_SECONDS = 300
const MAX_AHEAD_SECONDS = 60
const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const

/** What a grant has to name to be good here. */
export interface GrantTerms {
  chainId: number
  provider: LowerCaseAddress
  /** Pages that may ask wallets for a grant. */
  sites: readonly string[]
  orderId: bigint
  /** Who owns the order now. */
  user: LowerCaseAddress
  /** Unix seconds. */
  now: number
}

/** @throws AppError where the text is for something else, or has ended. Who signed it is another question. */
export function checkGrant(grant: WorkspaceGrant, terms: GrantTerms): void {
  if (grant.chainId !== terms.chainId) throw new AppError('wrong_chain', `the text is for chain ${grant.chainId}`)
  if (grant.provider !== terms.provider) throw new AppError('wrong_provider', 'the text is for another provider')
  if (!terms.sites.includes(grant.site)) throw new AppError('order_not_owned', `${grant.site} is not the market of this provider`)
  if (grant.orderId !== terms.orderId || toAddress(grant.wallet) !== terms.user)
    throw new AppError('order_not_owned', 'this wallet does not own the order')
  if (grant.issuedAt > terms.now + MAX_AHEAD_SECONDS)
    throw new AppError('text_in_future', 'the text is from the future; check the clock')
  if (grant.expiresAt <= terms.now || grant.expiresAt - grant.issuedAt > MAX_WORKSPACE_SECONDS)
    throw new AppError('text_too_old', 'the text has expired; sign again')
}

/** Takes each nonce once, for as long as its time is good. Only what is signed by a good key gets here. */
export function createNonces(now: () => number) {
  const used = new Map<string, number>()
  return {
    /** @throws AppError for a time that is not now. */
    checkTime(time: number): void {
      if (time < now() - MAX_AGE_SECONDS) throw new AppError('text_too_old', 'the request is too old')
      if (time > now() + MAX_AHEAD_SECONDS)
        throw new AppError('text_in_future', 'the request is from the future; check the clock')
    },
    /** @throws AppError for a nonce that was taken before. */
    checkNew(nonce: string): void {
      if (used.has(nonce)) throw new AppError('text_replayed', 'the request was used before')
    },
    take(nonce: string, time: number): void {
      this.checkNew(nonce)
      for (const [old, since] of used) if (now() - since > MAX_AGE_SECONDS) used.delete(old)
      used.set(nonce, time)
    },
  }
}

/** @throws AppError where `proof` is not the signature of `text` by the P-256 key of a grant. */
export async function checkProof(key: string, text: string, proof: string): Promise<void> {
  const { subtle } = webcrypto
  const read = await subtle.importKey('raw', Buffer.from(key, 'base64url'), P256, false, ['verify']).catch(() => undefined)
  const ok = read && (await subtle.verify(SIGNATURE, read, Buffer.from(proof, 'base64url'), Buffer.from(text)))
  if (!ok) throw new AppError('wrong_signer', 'the request is not signed by the key of its text')
}
