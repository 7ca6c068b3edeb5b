import { randomBytes } from 'node:crypto'
import { AppError, formatGatewaySignIn } from '@rackfair/core'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { openValue, ownerCookie, readCookies, signValue } from './cookies.ts'

const SESSION_SECONDS = 12 * 3600
const NONCE_SECONDS = 300
const MAX_NONCES = 10_000

const signInBody = z.strictObject({
  order: z.string().regex(/^(0|[1-9]\d{0,19})$/),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  time: z.number().int(),
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){65,4096}$/),
})

/** Lets the owner of an order into its protected application: one signature, then twelve hours. */
export function createOwnerSessions(options: {
  secret: string
  signedBy: (wallet: Address, text: string, signature: Hex) => Promise<boolean>
  now: () => number
}) {
  const nonces = new Map<string, { orderId: bigint; origin: string; time: number }>()
  const { secret, now } = options
  return {
    /** A fresh text for the owner to sign on this origin. */
    challenge(orderId: bigint, origin: string) {
      const nonce = randomBytes(16).toString('hex')
      const time = now()
      for (const [old, { time: since }] of nonces) {
        if (now() - since <= NONCE_SECONDS && nonces.size < MAX_NONCES) break
        nonces.delete(old)
      }
      nonces.set(nonce, { orderId, origin, time })
      return { nonce, time, text: formatGatewaySignIn({ orderId, origin, nonce, time }) }
    },

    /** Checks a signed challenge and answers the session's cookie. Each challenge is good once. */
    async signIn(raw: unknown, orderId: bigint, user: string, origin: string) {
      const parsed = signInBody.safeParse(raw)
      if (!parsed.success) throw new AppError('text_malformed', 'malformed request')
      const { nonce, time, signature } = parsed.data
      const issued = nonces.get(nonce)
      nonces.delete(nonce)
      const valid =
        issued?.orderId === orderId && issued.origin === origin && issued.time === time && now() - time <= NONCE_SECONDS
      if (!valid || BigInt(parsed.data.order) !== orderId)
        throw new AppError('text_too_old', 'the sign-in is too old; reload the page')
      const text = formatGatewaySignIn({ orderId, origin, nonce, time })
      if (!(await options.signedBy(user as Address, text, signature as Hex)))
        throw new AppError('order_not_owned', 'this wallet does not own the order')
      const value = signValue(`${orderId}.${user.toLowerCase()}.${now() + SESSION_SECONDS}`, secret)
      return { name: ownerCookie(orderId), value, maxAgeSeconds: SESSION_SECONDS }
    },

    /** True for a request of the one who owns the order now. */
    isOwner(cookieHeader: string | undefined, orderId: bigint, user: string): boolean {
      const value = openValue(readCookies(cookieHeader).get(ownerCookie(orderId)), secret)
      const [id, owner, expires] = value?.split('.') ?? []
      return id === String(orderId) && owner === user.toLowerCase() && Number(expires) > now()
    },
  }
}
export type OwnerSessions = ReturnType<typeof createOwnerSessions>
