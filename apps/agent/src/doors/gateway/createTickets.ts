import { randomBytes } from 'node:crypto'
import { visitTicket } from '@rackfair/protocol/workspace'
import { formatVisitTicket, parseWorkspaceText } from '@rackfair/protocol/workspaceText'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { type Address, type Hex, keccak256, stringToBytes } from 'viem'
import { checkGrant, checkProof, createNonces } from '../owner/checkGrant.ts'
import type { SignatureCheck } from '../owner/createSignatureCheck.ts'

const PASS_SECONDS = 60
const MAX_PASSES = 1000
/** A renter who asks for more gives up the oldest of their own, and of no other order. */
const MAX_PASSES_OF_ORDER = 10
const KNOWN_GRANTS = 1000

/** An order and its current owner. */
export interface Owned {
  orderId: bigint
  user: LowerCaseAddress
}

/**
 * One-time tickets of the market's page: the order's owner signed once for a key of that browser, and the key signs every visit. A ticket
 * is valid once, at this gateway only; it is exchanged for a pass to the application's own origin, which is also valid once.
 */
export function createTickets(options: {
  chainId: number
  provider: LowerCaseAddress
  isSigned: SignatureCheck
  /** Whether the order's owner revoked this key. */
  isRevoked: (orderId: bigint, key: string) => boolean
  /** Pages that may ask wallets for a grant. */
  sites: () => readonly string[]
  now: () => number
}) {
  const { now } = options
  /** Nonces of valid tickets: only the owner's key can add one. */
  const nonces = createNonces(now)
  /** Grants whose signature was verified. A smart account is queried once per grant. */
  const known = new Set<string>()
  const passes = new Map<string, Owned & { origin: string; until: number }>()

  return {
    /** Verifies a ticket presented at `gateway`, and accepts it once. `ownerOf` returns the current owner of an order on this machine. */
    async take(
      raw: unknown,
      at: { gateway: string; visitor: string | undefined; ownerOf: (orderId: bigint) => LowerCaseAddress | undefined },
    ): Promise<Owned> {
      const parsed = visitTicket.safeParse(raw)
      const grant = parsed.success ? parseWorkspaceText(parsed.data.grant) : undefined
      if (!parsed.success || !grant) throw refuse('text_malformed', 'malformed request')
      const { grant: text, signature, nonce, time, proof } = parsed.data
      const { orderId } = grant
      const user = at.ownerOf(orderId)
      if (user === undefined) throw refuse('order_not_found', `order ${orderId} is not on this machine`)
      const { chainId, provider } = options
      checkGrant(grant, { chainId, provider, sites: options.sites(), orderId, user, now: now() })
      if (grant.gateway !== at.gateway) throw refuse('wrong_provider', 'the text is for another gateway')
      if (options.isRevoked(orderId, grant.key)) throw refuse('key_revoked', 'the key of this browser was revoked')
      nonces.checkTime(time)
      nonces.checkNew(nonce)
      await checkProof(grant.key, formatVisitTicket({ orderId, gateway: at.gateway, nonce, time }), proof)
      const print = keccak256(stringToBytes(`${text}\n${signature}`))
      if (!known.has(print)) {
        const signed = { wallet: user as Address, text, signature: signature as Hex, visitor: at.visitor }
        if (!(await options.isSigned(signed))) throw refuse('order_not_owned', 'this wallet does not own the order')
        if (known.size >= KNOWN_GRANTS) known.delete(known.values().next().value as string)
        known.add(print)
      }
      nonces.take(nonce, time)
      return { orderId, user }
    },

    /** A short-lived one-time path at an order's own origin that signs its owner in. */
    pass(owned: Owned, origin: string): string {
      for (const [old, { until }] of passes) if (until <= now()) passes.delete(old)
      const own = [...passes].filter(([, { orderId }]) => orderId === owned.orderId)
      const [oldest] = own.length >= MAX_PASSES_OF_ORDER ? own : passes.size >= MAX_PASSES ? passes : []
      if (oldest) passes.delete(oldest[0])
      const pass = randomBytes(32).toString('base64url')
      passes.set(pass, { ...owned, origin, until: now() + PASS_SECONDS })
      return `/.rackfair/pass/${pass}`
    },

    /** True for the first use of a valid pass at its own order and origin. */
    usePass(path: string, { orderId, user }: Owned, origin: string): boolean {
      const pass = path.replace('/.rackfair/pass/', '')
      const given = passes.get(pass)
      passes.delete(pass)
      return given?.orderId === orderId && given.user === user && given.origin === origin && given.until > now()
    },
  }
}
export type Tickets = ReturnType<typeof createTickets>

const refuse = (code: string, message: string) => new AppError(code, message)
