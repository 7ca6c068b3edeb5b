import { randomBytes, webcrypto } from 'node:crypto'
import { AppError, formatVisitTicket, MAX_WORKSPACE_SECONDS, parseWorkspaceText, type WorkspaceGrant } from '@rackfair/core'
import { visitTicket } from '@rackfair/core/wire'
import { type Address, type Hex, keccak256, stringToBytes } from 'viem'
import type { SignatureCheck } from './createSignatureCheck.ts'

/** As for a deploy text: clocks differ. */
const MAX_AGE_SECONDS = 300
const MAX_AHEAD_SECONDS = 60
const PASS_SECONDS = 60
const MAX_PASSES = 1000
const KNOWN_GRANTS = 1000
const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const

/** An order and the one who owns it now. */
export interface Owned {
  orderId: bigint
  user: string
}

/**
 * One-time tickets of the market's page: the order's owner signed once for a key of that browser, and the key signs every visit. A ticket
 * is good once, at this gateway only; for it there is a pass, which leads to the application's own origin and is good once too.
 */
export function createTickets(options: {
  chainId: number
  provider: string
  isSigned: SignatureCheck
  /** Pages that may ask wallets for a grant. */
  sites: () => readonly string[]
  now: () => number
}) {
  const { now } = options
  /** Nonces of tickets that were good, and their times: only the owner's key adds one. */
  const used = new Map<string, number>()
  /** Grants that a wallet was seen to have signed. A smart account is asked about each once. */
  const known = new Set<string>()
  const passes = new Map<string, Owned & { origin: string; until: number }>()

  const requireGrant = async (grant: WorkspaceGrant, gateway: string, owned: Owned) => {
    const time = now()
    if (grant.chainId !== options.chainId) throw refuse('wrong_chain', `the text is for chain ${grant.chainId}`)
    if (grant.provider !== options.provider.toLowerCase()) throw refuse('wrong_provider', 'the text is for another provider')
    if (grant.gateway !== gateway) throw refuse('wrong_provider', 'the text is for another gateway')
    if (!options.sites().includes(grant.site)) throw refuse('order_not_owned', `${grant.site} is not the market of this provider`)
    if (grant.orderId !== owned.orderId || grant.wallet.toLowerCase() !== owned.user.toLowerCase())
      throw refuse('order_not_owned', 'this wallet does not own the order')
    if (grant.issuedAt > time + MAX_AHEAD_SECONDS) throw refuse('text_in_future', 'the text is from the future; check the clock')
    if (grant.expiresAt <= time || grant.expiresAt - grant.issuedAt > MAX_WORKSPACE_SECONDS)
      throw refuse('text_too_old', 'the text has ended; sign again')
  }

  const requireProof = async (key: string, text: string, proof: string) => {
    const { subtle } = webcrypto
    const read = await subtle.importKey('raw', Buffer.from(key, 'base64url'), P256, false, ['verify']).catch(() => undefined)
    const ok = read && (await subtle.verify(SIGNATURE, read, Buffer.from(proof, 'base64url'), Buffer.from(text)))
    if (!ok) throw refuse('wrong_signer', 'the ticket is not signed by the key of its text')
  }

  return {
    /** Checks a ticket that came to `gateway`, and takes it once. `ownerOf` answers who owns an order of this machine now. */
    async take(
      raw: unknown,
      at: { gateway: string; visitor: string | undefined; ownerOf: (orderId: bigint) => string | undefined },
    ): Promise<Owned> {
      const parsed = visitTicket.safeParse(raw)
      const grant = parsed.success ? parseWorkspaceText(parsed.data.grant) : undefined
      if (!parsed.success || !grant) throw refuse('text_malformed', 'malformed request')
      const { grant: text, signature, nonce, time, proof } = parsed.data
      const { orderId } = grant
      const user = at.ownerOf(orderId)
      if (user === undefined) throw refuse('order_not_found', `order ${orderId} is not on this machine`)
      await requireGrant(grant, at.gateway, { orderId, user })
      if (time < now() - MAX_AGE_SECONDS) throw refuse('text_too_old', 'the ticket is too old')
      if (time > now() + MAX_AHEAD_SECONDS) throw refuse('text_in_future', 'the ticket is from the future; check the clock')
      if (used.has(nonce)) throw refuse('text_replayed', 'the ticket was used before')
      await requireProof(grant.key, formatVisitTicket({ orderId, gateway: at.gateway, nonce, time }), proof)
      const print = keccak256(stringToBytes(`${text}\n${signature}`))
      if (!known.has(print)) {
        const signed = { wallet: user as Address, text, signature: signature as Hex, visitor: at.visitor }
        if (!(await options.isSigned(signed))) throw refuse('order_not_owned', 'this wallet does not own the order')
        if (known.size >= KNOWN_GRANTS) known.delete(known.values().next().value as string)
        known.add(print)
      }
      if (used.has(nonce)) throw refuse('text_replayed', 'the ticket was used before')
      for (const [old, since] of used) if (now() - since > MAX_AGE_SECONDS) used.delete(old)
      used.set(nonce, time)
      return { orderId, user }
    },

    /** The path at an order's own origin that lets one in, once and soon. */
    pass(owned: Owned, origin: string): string {
      for (const [old, { until }] of passes) if (until <= now() || passes.size >= MAX_PASSES) passes.delete(old)
      const pass = randomBytes(32).toString('base64url')
      passes.set(pass, { ...owned, origin, until: now() + PASS_SECONDS })
      return `/.rackfair/pass/${pass}`
    },

    /** True for the first who comes with a pass to where it leads, while it is good. */
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
