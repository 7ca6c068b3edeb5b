import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError, formatGatewaySignIn, type LowerCaseAddress } from '@rackfair/core'
import type { Hex } from 'viem'
import { z } from 'zod'
import { openValue, ownerCookie, readCookies, signValue } from './cookies.ts'
import type { SignatureCheck } from './createSignatureCheck.ts'

const SESSION_SECONDS = 12 * 3600
const NONCE_SECONDS = 300

const signInBody = z.strictObject({
  order: z.string().regex(/^(0|[1-9]\d{0,19})$/),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  time: z.number().int(),
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){65,4096}$/),
})

export interface OwnerCookie {
  name: string
  value: string
  maxAgeSeconds: number
}

/**
 * Lets the owner of an order into its protected application: one signature, valid for twelve hours. A challenge carries its own proof
 * that it was issued here, so that requesting millions of them takes no memory and evicts nobody else's.
 */
export function createOwnerSessions(options: { secret: string; isSigned: SignatureCheck; now: () => number }) {
  const { secret, now } = options
  /** Nonces that opened a session, and when they were issued: only the owner's signature can add one. */
  const used = new Map<string, number>()
  const nonceOf = (random: string, orderId: bigint, origin: string, time: number): string => {
    const proof = createHmac('sha256', secret).update(`sign-in ${random} ${orderId} ${time} ${origin}`).digest('hex')
    return random + proof.slice(0, 16)
  }
  /** The session cookie for a verified owner of the order. */
  const open = (orderId: bigint, user: LowerCaseAddress, origin: string): OwnerCookie => {
    const value = signValue(`${orderId}.${user}.${now() + SESSION_SECONDS}.${origin}`, secret)
    return { name: ownerCookie(orderId), value, maxAgeSeconds: SESSION_SECONDS }
  }
  return {
    open,
    /** Issues a fresh text for the owner to sign on this origin. */
    challenge(orderId: bigint, origin: string) {
      const time = now()
      const nonce = nonceOf(randomBytes(8).toString('hex'), orderId, origin, time)
      return { nonce, time, text: formatGatewaySignIn({ orderId, origin, nonce, time }) }
    },

    /** Verifies a signed challenge and returns the session's cookie. Each challenge is valid once. */
    async signIn(raw: unknown, at: { orderId: bigint; user: LowerCaseAddress; origin: string; visitor: string | undefined }) {
      const { orderId, user, origin, visitor } = at
      const parsed = signInBody.safeParse(raw)
      if (!parsed.success) throw new AppError('text_malformed', 'malformed request')
      const { nonce, time, signature } = parsed.data
      const made = nonceOf(nonce.slice(0, 16), orderId, origin, time)
      const fresh = now() - time <= NONCE_SECONDS && !used.has(nonce)
      if (!timingSafeEqual(Buffer.from(made), Buffer.from(nonce)) || !fresh || BigInt(parsed.data.order) !== orderId)
        throw new AppError('text_too_old', 'the sign-in is too old; reload the page')
      const text = formatGatewaySignIn({ orderId, origin, nonce, time })
      if (!(await options.isSigned({ wallet: user, text, signature: signature as Hex, visitor })))
        throw new AppError('order_not_owned', 'this wallet does not own the order')
      if (used.has(nonce)) throw new AppError('text_too_old', 'the sign-in was used; reload the page')
      for (const [old, since] of used) if (now() - since > NONCE_SECONDS) used.delete(old)
      used.set(nonce, time)
      return open(orderId, user, origin)
    },

    /** True for a request of the order's current owner who signed in on this origin. */
    isOwner(cookieHeader: string | undefined, orderId: bigint, user: LowerCaseAddress, origin: string): boolean {
      const value = openValue(readCookies(cookieHeader).get(ownerCookie(orderId)), secret)
      const [id, owner, expires, ...at] = value?.split('.') ?? []
      return id === String(orderId) && owner === user && Number(expires) > now() && at.join('.') === origin
    },
  }
}
export type OwnerSessions = ReturnType<typeof createOwnerSessions>
