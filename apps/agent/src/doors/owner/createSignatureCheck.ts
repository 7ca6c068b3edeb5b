import { AppError } from '@rackfair/rules/errors/AppError'
import { recoversTo } from '@rackfair/sdk'
import type { Address, Hex } from 'viem'
import { createTokenBuckets } from '../../foundation/buckets.ts'

export interface SignedText {
  wallet: Address
  text: string
  signature: Hex
  /** The network that the request came from; undefined if a proxy does not say. */
  visitor: string | undefined
  /** The platform that it came through, if any: each has limits of its own. */
  platform?: string
}

/**
 * Checks whether a wallet signed a text. Only a smart account's signature needs a chain request, so these are rate-limited: wrong ones per
 * network, so that nobody can exhaust the owner's attempts, and all that come the same way together, to protect the RPC node.
 */
export function createSignatureCheck(options: { signedBy: (wallet: Address, text: string, signature: Hex) => Promise<boolean> }) {
  const perVisitor = createTokenBuckets({ burst: 5, refillMs: 12_000 })
  const confirmed = createTokenBuckets({ burst: 30, refillMs: 1000 })
  const overall = createTokenBuckets({ burst: 100, refillMs: 50 })
  return async ({ wallet, text, signature, visitor = '', platform = '' }: SignedText): Promise<boolean> => {
    if (await recoversTo(wallet, text, signature)) return true
    const caller = `${platform} ${visitor}`
    if (!perVisitor.take(caller) || !overall.take(platform))
      throw new AppError('agent_busy', 'too many sign-ins; try again in a moment', { retryable: true })
    const isSigned = await options.signedBy(wallet, text, signature)
    // A program with a purse signs in to one sandbox after the other. An account that confirms everything has no more than a part of all.
    if (isSigned && confirmed.take(wallet)) perVisitor.giveBack(caller)
    return isSigned
  }
}
export type SignatureCheck = ReturnType<typeof createSignatureCheck>
