import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { formatGatewaySignIn } from '@rackfair/protocol/agentTexts'
import { signatureString } from '@rackfair/protocol/scalars'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { SignatureCheck } from '../owner/createSignatureCheck.ts'
import { ownerCookie, readCookies } from './cookies.ts'
import { CREDENTIALS_PREFIX, type Credentials, readCredentials } from './credentials.ts'

const SESSION_SECONDS = 12 * 3600
const NONCE_SECONDS = 300

const signInBody = z.strictObject({
  order: z.string().regex(/^(0|[1-9]\d{0,19})$/),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  time: z.number().int(),
  signature: signatureString,
})

/** A session of twelve hours: a cookie where the origin has TLS, otherwise credentials, which browsers keep for one host and port. */
export type OwnerSession = { cookie: { name: string; value: string; maxAgeSeconds: number } } | { credentials: Credentials }

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
  const proofOf = (name: string, orderId: bigint, user: LowerCaseAddress, origin: string): string =>
    createHmac('sha256', secret).update(`session ${name} ${orderId} ${user} ${origin}`).digest('base64url')
  /** The session of a verified owner of the order. */
  const open = (orderId: bigint, user: LowerCaseAddress, origin: string): OwnerSession => {
    const name = `${CREDENTIALS_PREFIX}${now() + SESSION_SECONDS}`
    const proof = proofOf(name, orderId, user, origin)
    return hasTls(origin)
      ? { cookie: { name: ownerCookie(orderId), value: `${name}:${proof}`, maxAgeSeconds: SESSION_SECONDS } }
      : { credentials: { name, proof } }
  }
  return {
    open,
    /** Issues a fresh text for the owner to sign on this origin. */
    challenge(orderId: bigint, origin: string) {
      const time = now()
      const nonce = nonceOf(randomBytes(8).toString('hex'), orderId, origin, time)
      return { nonce, time, text: formatGatewaySignIn({ orderId, origin, nonce, time }) }
    },

    /** Verifies a signed challenge and returns the session. Each challenge is valid once. */
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
    isOwner(headers: IncomingHttpHeaders, orderId: bigint, user: LowerCaseAddress, origin: string): boolean {
      const given = hasTls(origin) ? inCookie(headers.cookie, orderId) : readCredentials(headers)
      if (!given || !(Number(given.name.slice(CREDENTIALS_PREFIX.length)) > now())) return false
      const [actual, expected] = [Buffer.from(given.proof), Buffer.from(proofOf(given.name, orderId, user, origin))]
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}
export type OwnerSessions = ReturnType<typeof createOwnerSessions>

const hasTls = (origin: string): boolean => origin.startsWith('https:')

function inCookie(header: string | undefined, orderId: bigint): Credentials | undefined {
  const value = readCookies(header).get(ownerCookie(orderId)) ?? ''
  const at = value.indexOf(':')
  return at > 0 ? { name: value.slice(0, at), proof: value.slice(at + 1) } : undefined
}
