import { formatGatewaySignIn } from '@rackfair/protocol/agentTexts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { AppError } from '@rackfair/rules/errors/AppError'
import { type Address, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { basic } from '../../testing/setupGateway.ts'
import { createSignatureCheck } from '../owner/createSignatureCheck.ts'
import { createOwnerSessions, type OwnerSession } from './ownerSessions.ts'

const ORDER = 5n
const ORIGIN = 'http://203.0.113.1:7075'

describe('the owner’s sign-in', () => {
  it('stays valid through any number of other challenges, without storing them', async () => {
    const { sessions, owner, answer } = setup()
    const mine = sessions.challenge(ORDER, ORIGIN)
    const before = process.memoryUsage().heapUsed
    for (let count = 0; count < 200_000; count += 1) sessions.challenge(ORDER, ORIGIN)
    globalThis.gc?.()
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(64)
    const headers = headersOf(await answer(mine))
    const isOwnerAt = (origin: string) => sessions.isOwner(headers, ORDER, lowerCaseAddress(owner.address), origin)
    expect([isOwnerAt(ORIGIN), isOwnerAt('http://203.0.113.1:7076'), isOwnerAt('http://evil.example')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('checks at most five wrong signatures of a network on chain, and admits the owner meanwhile', async () => {
    const { sessions, owner, contracts, answer, questions } = setup()
    const stranger = privateKeyToAccount(generatePrivateKey())
    const account = lowerCaseAddress('0x00000000000000000000000000000000000a11ce')
    contracts.set(account, owner.address)
    const tries = Array.from({ length: 40 }, () => sessions.challenge(ORDER, ORIGIN))
    const refused = await Promise.allSettled(
      tries.map((one) => answer(one, { signer: stranger, user: account, visitor: '203.0.113.9' })),
    )
    const codes = refused.map((one) => one.status === 'rejected' && (one.reason as AppError).code)
    expect([...new Set(codes)].sort()).toEqual(['agent_busy', 'order_not_owned'])
    expect(questions.count).toBe(codes.filter((code) => code === 'order_not_owned').length)
    expect(questions.count).toBeLessThan(10)
    const fromHome = await answer(sessions.challenge(ORDER, ORIGIN), { user: account, visitor: '198.51.100.7' })
    expect(headersOf(fromHome)).toBeDefined()
    expect(headersOf(await answer(sessions.challenge(ORDER, ORIGIN), { visitor: '203.0.113.9' }))).toBeDefined()
  })

  it('lets the owner’s programs sign in often from one network, by a contract account, but not without end', async () => {
    const { sessions, owner, contracts, answer, questions } = setup()
    const user = lowerCaseAddress('0x00000000000000000000000000000000000a11ce')
    contracts.set(user, owner.address)
    const signIn = () => answer(sessions.challenge(ORDER, ORIGIN), { user, visitor: '203.0.113.9' })
    for (let at = 0; at < 30; at += 1) await signIn()
    expect(questions.count).toBe(30)
    // The limit of all together is 100: an account that confirms everything leaves most of it to others.
    const many = async () => {
      for (let at = 0; at < 70; at += 1) await signIn()
    }
    await expect(many()).rejects.toMatchObject({ code: 'agent_busy' })
    expect(questions.count).toBeLessThan(100)
  })

  it('is valid once, even for two concurrent uses', async () => {
    const { sessions, answer } = setup()
    const challenge = sessions.challenge(ORDER, ORIGIN)
    const both = await Promise.allSettled([answer(challenge), answer(challenge)])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(answer(challenge)).rejects.toMatchObject({ code: 'text_too_old' })
  })

  it('is valid for five minutes, for this order and origin, and only if issued here', async () => {
    const { sessions, clock, owner, answer } = setup()
    const challenge = sessions.challenge(ORDER, ORIGIN)
    await expect(answer(challenge, { orderId: 6n })).rejects.toMatchObject({ code: 'text_too_old' })
    await expect(answer(challenge, { origin: 'http://203.0.113.1:7076' })).rejects.toMatchObject({ code: 'text_too_old' })
    const time = challenge.time + 3600
    const text = formatGatewaySignIn({ orderId: ORDER, origin: ORIGIN, nonce: challenge.nonce, time })
    await expect(answer({ nonce: challenge.nonce, time, text })).rejects.toMatchObject({ code: 'text_too_old' })
    const nonce = '0'.repeat(32)
    const invented = { nonce, time: challenge.time, text: formatGatewaySignIn({ orderId: ORDER, origin: ORIGIN, nonce, time }) }
    await expect(answer(invented)).rejects.toMatchObject({ code: 'text_too_old' })
    clock.now += 301
    await expect(answer(challenge)).rejects.toMatchObject({ code: 'text_too_old' })
    clock.now -= 1
    const user = lowerCaseAddress(owner.address)
    const headers = headersOf(await answer(challenge))
    expect(sessions.isOwner(headers, ORDER, user, ORIGIN)).toBe(true)
    clock.now += 12 * 3600
    expect(sessions.isOwner(headers, ORDER, user, ORIGIN)).toBe(false)
    const forged = { credentials: { name: 'rackfair.9999999999', proof: 'x'.repeat(43) } }
    expect(sessions.isOwner(headersOf(forged), ORDER, user, ORIGIN)).toBe(false)
  })

  it('is a cookie with TLS, which no neighbour can set, and otherwise never one', async () => {
    const { sessions, owner, answer } = setup()
    const user = lowerCaseAddress(owner.address)
    const secure = 'https://o-5.node.example'
    const session = await answer(sessions.challenge(ORDER, secure), { origin: secure })
    if (!('cookie' in session)) throw new Error('no cookie')
    const { name, value } = session.cookie
    expect([name, session.cookie.maxAgeSeconds]).toEqual(['__Host-rackfair_owner_5', 12 * 3600])
    const isOwner = (cookie: string, origin = secure) => sessions.isOwner({ cookie }, ORDER, user, origin)
    expect(isOwner(`app=1; ${name}=${value}`)).toBe(true)
    expect(isOwner(`${name}=${value}; ${name}=${value}`)).toBe(false)
    expect(isOwner(`rackfair_owner_5=${value}`)).toBe(false)
    expect(isOwner(`${name}=${value}`, ORIGIN)).toBe(false)
    const open = sessions.open(ORDER, user, ORIGIN)
    if (!('credentials' in open)) throw new Error('a cookie without TLS')
    const { name: until, proof } = open.credentials
    for (const cookie of [`${name}=${until}:${proof}`, `rackfair_owner_5=${until}:${proof}`])
      expect([isOwner(cookie), isOwner(cookie, ORIGIN)]).toEqual([false, false])
    expect(sessions.isOwner(basic(open), ORDER, user, secure)).toBe(false)
    expect(sessions.isOwner({ ...basic(open), cookie: `${name}=planted` }, ORDER, user, ORIGIN)).toBe(true)
  })
})

const headersOf = (session: OwnerSession) =>
  'cookie' in session ? { cookie: `${session.cookie.name}=${session.cookie.value}` } : basic(session)

function setup() {
  const owner = privateKeyToAccount(generatePrivateKey())
  const clock = { now: 1_800_000_000 }
  const questions = { count: 0 }
  /** Smart accounts and the key that signs for each. */
  const contracts = new Map<string, Address>()
  const sessions = createOwnerSessions({
    secret: 'a secret of this test',
    isSigned: createSignatureCheck({
      signedBy: (address, message, signature) => {
        questions.count += 1
        return verifyMessage({ address: contracts.get(address) ?? address, message, signature })
      },
    }),
    now: () => clock.now,
  })
  return {
    sessions,
    owner,
    contracts,
    clock,
    /** Number of calls to the chain. */
    questions,
    /** Signs a challenge as the owner and submits it, optionally elsewhere. */
    async answer(
      challenge: { nonce: string; time: number; text: string },
      at: { orderId?: bigint; origin?: string; signer?: typeof owner; user?: LowerCaseAddress; visitor?: string } = {},
    ) {
      const { nonce, time, text } = challenge
      const { orderId = ORDER, origin = ORIGIN, signer = owner, user = lowerCaseAddress(owner.address), visitor } = at
      const signature = await signer.signMessage({ message: text })
      return sessions.signIn({ order: String(orderId), nonce, time, signature }, { orderId, user, origin, visitor })
    },
  }
}
