import { workspaceHello } from '@rackfair/protocol/workspace'
import { formatSessionProof, parseWorkspaceText, type WorkspaceGrant } from '@rackfair/protocol/workspaceText'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { recoversTo } from '@rackfair/sdk'
import { fromUtf8, type ReadHello } from '@rackfair/sealed'
import type { Address, Hex } from 'viem'
import { WorkspaceError } from '../workspace/WorkspaceChannel.ts'
import { checkGrant, checkProof, createNonces } from './checkGrant.ts'
import { createOwnerOf, type OwnerChain } from './createOwnerOf.ts'
import type { SignatureCheck } from './createSignatureCheck.ts'
import type { WorkspaceKeys } from './createWorkspaceKeys.ts'

/** Who began a session, and what for. */
export interface AdmittedSession {
  orderId: bigint
  user: LowerCaseAddress
  /** The browser's key, as the grant names it. */
  key: string
  grant: WorkspaceGrant
  text: string
  signature: Hex
  caller: string
  /** Keys of the order that had to make room for this one. */
  crowdedOut: readonly string[]
}

export interface OwnerAdmissionOptions {
  chainId: number
  provider: LowerCaseAddress
  /** The latest of the chain; the platform's word is not asked. */
  chain: OwnerChain
  isSigned: SignatureCheck
  keys: WorkspaceKeys
  /** Pages that may ask wallets for a grant. */
  sites: () => readonly string[]
  now: () => number
}
export type OwnerAdmission = ReturnType<typeof createOwnerAdmission>

/** Decides who may use an order's workspace: whoever has a key that the order's owner of this moment signed for. */
export function createOwnerAdmission(options: OwnerAdmissionOptions) {
  const { chainId, provider, chain, isSigned, keys, now } = options
  const nonces = createNonces(now)

  const ownerOf = createOwnerOf(provider, chain)

  const checkGrantNow = async (grant: WorkspaceGrant) => {
    const user = await ownerOf(grant.orderId)
    if (grant.expiresAt <= now()) throw new WorkspaceError('key_expired', 'the key of this browser has expired')
    checkGrant(grant, { chainId, provider, sites: options.sites(), orderId: grant.orderId, user, now: now() })
    return user
  }

  const readPayload = (payload: Uint8Array) => {
    try {
      const hello = workspaceHello.parse(JSON.parse(fromUtf8(payload)))
      const grant = parseWorkspaceText(hello.grant)
      if (grant) return { ...hello, text: hello.grant, grant, signature: hello.signature as Hex }
    } catch {
      // One answer for everything that cannot be read.
    }
    throw new AppError('text_malformed', 'malformed request')
  }

  return {
    keys,

    /**
     * `caller` is a network in the words of the platform that it came through.
     * @throws AppError with the reason why not.
     */
    async admit({ payload, binding }: ReadHello, caller: string, platform: string): Promise<AdmittedSession> {
      const { grant, text, signature, nonce, time, proof } = readPayload(payload)
      const { orderId, key } = grant
      nonces.checkTime(time)
      nonces.checkNew(nonce)
      const hex = Buffer.from(binding).toString('hex')
      await checkProof(key, formatSessionProof({ orderId, provider, nonce, time, binding: hex }), proof)
      const user = await checkGrantNow(grant)
      if (!(await isSigned({ wallet: user as Address, text, signature, visitor: caller, platform })))
        throw new AppError('order_not_owned', 'this wallet does not own the order')
      nonces.take(nonce, time)
      return { orderId, user, key, grant, text, signature, caller, crowdedOut: keys.use(grant) }
    },

    /** Whether who was let in still may be there: the order goes on and is theirs, the key is good, the account stands by its signature. */
    async check({ orderId, key, grant, text, signature, user }: AdmittedSession): Promise<void> {
      if (keys.isRevoked(orderId, key)) throw new WorkspaceError('key_revoked', 'the key of this browser was revoked')
      await checkGrantNow(grant)
      if (await recoversTo(user as Address, text, signature)) return
      if (!(await isSigned({ wallet: user as Address, text, signature, visitor: `order ${orderId}` })))
        throw new AppError('order_not_owned', 'the account does not stand by its signature any more')
    },
  }
}
