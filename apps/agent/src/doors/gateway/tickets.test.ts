import type { VisitTicket } from '@rackfair/protocol/workspace'
import { lowerCaseAddress } from '@rackfair/rules/address'
import type { AppError } from '@rackfair/rules/errors/AppError'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTicket, makeWorkspaceKey } from '../../testing/makeTicket.ts'
import { basic, setupGateway } from '../../testing/setupGateway.ts'
import { startEchoApp } from '../../testing/startEchoApp.ts'
import { createTickets } from './createTickets.ts'

const ORDER = 5n
const DAY = 86_400

describe('a one-time ticket of the web app', () => {
  let door: Awaited<ReturnType<typeof setupGateway>>
  let app: Awaited<ReturnType<typeof startEchoApp>>

  beforeAll(async () => {
    app = await startEchoApp()
    door = await setupGateway({ ownPorts: true })
    door.put(ORDER, { appPort: app.port, access: 'owner' })
  })
  afterAll(async () => {
    await door.close()
    await app.close()
  })

  const now = () => Math.floor(Date.now() / 1000)
  const facts = () => ({ orderId: ORDER, provider: door.provider, gateway: door.origin, chainId: 2985, site: door.market })
  const key = (change: Partial<Parameters<typeof makeWorkspaceKey>[1]> = {}, wallet = door.owner) =>
    makeWorkspaceKey(wallet, { ...facts(), ...change })
  const hand = (ticket: unknown, headers: Record<string, string> = { origin: door.origin }) =>
    fetch(`${door.origin}/.rackfair/open`, { method: 'POST', headers, body: JSON.stringify(ticket) })
  const codeOf = async (ticket: unknown) => ((await (await hand(ticket)).json()) as { code?: string }).code
  /** Where a pass leads, and the headers that a browser has from there on. */
  const follow = async (to: string) => {
    const answer = await fetch(to, { redirect: 'manual' })
    const text = await answer.text()
    const [name, proof] = ['name', 'proof'].map((one) => new RegExp(`data-${one}="([^"]*)"`).exec(text)?.[1])
    return {
      location: answer.headers.get('location'),
      cookies: answer.headers.getSetCookie(),
      headers: name && proof ? basic({ credentials: { name, proof } }) : {},
    }
  }

  it('admits the owner at the application’s origin, once, and leaves no trace in URLs', async () => {
    const ticket = await makeTicket(await key())
    const opened = await hand(ticket)
    expect([opened.status, opened.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const { to } = (await opened.json()) as { to: string }
    expect(new URL(to).host).not.toBe(new URL(door.origin).host)
    const elsewhere = await follow(to.replace('127.0.0.1', 'localhost'))
    expect(elsewhere).toEqual({ location: '/', cookies: [], headers: {} })
    const next = (await (await hand(await makeTicket(await key()))).json()) as { to: string }
    const { cookies, headers } = await follow(next.to)
    expect(cookies).toEqual([])
    const page = await fetch(new URL('/secret', next.to), { headers })
    expect([page.status, await page.json()]).toMatchObject([200, { url: '/secret' }])
    expect(await follow(next.to)).toEqual({ location: '/', cookies: [], headers: {} })
    expect(await codeOf(ticket)).toBe('text_replayed')
  })

  it('is accepted repeatedly from a key that the owner authorised', async () => {
    const mine = await key()
    for (let visit = 0; visit < 3; visit += 1) expect((await hand(await makeTicket(mine))).status).toBe(200)
    const once = await makeTicket(mine)
    const both = await Promise.all([hand(once), hand(once)])
    expect(both.map((one) => one.status).sort()).toEqual([200, 409])
  })

  it('is refused from any other signer and anywhere else', async () => {
    const stranger = privateKeyToAccount(generatePrivateKey())
    const mine = await key()
    const good = await makeTicket(mine)
    const refused: [string, unknown][] = [
      ['order_not_owned', await makeTicket(await key({}, stranger))],
      ['order_not_owned', await makeTicket(await key({ wallet: door.owner.address }, stranger))],
      ['order_not_owned', await makeTicket(await key({ site: 'https://evil.example' }))],
      ['order_not_found', await makeTicket(await key({ orderId: 6n }))],
      ['wrong_chain', await makeTicket(await key({ chainId: 985 }))],
      ['wrong_provider', await makeTicket(await key({ provider: `0x${'cc'.repeat(20)}` }))],
      ['wrong_provider', await makeTicket(await key({ gateway: 'http://203.0.113.9:7070' }))],
      ['text_too_old', await makeTicket(await key({ issuedAt: now() - 7 * DAY, expiresAt: now() }))],
      ['text_too_old', await makeTicket(await key({ expiresAt: now() + 7 * DAY + 60 }))],
      ['text_in_future', await makeTicket(await key({ issuedAt: now() + 120 }))],
      ['text_too_old', await makeTicket(mine, { time: now() - 301 })],
      ['text_in_future', await makeTicket(mine, { time: now() + 120 })],
      ['wrong_signer', await makeTicket({ ...(await key()), grant: mine.grant, signature: mine.signature })],
      ['wrong_signer', await makeTicket(mine, { gateway: 'http://203.0.113.9:7070' })],
      ['wrong_signer', { ...good, nonce: '0'.repeat(32) }],
      ['wrong_signer', { ...good, time: good.time - 1 }],
      ['wrong_signer', await makeTicket(await key({ key: 'x'.repeat(87) }))],
      ['text_malformed', { ...good, grant: `${good.grant}\n` }],
      ['text_malformed', { ...good, more: 1 }],
      ['text_malformed', { ...good, signature: `0x${'00'.repeat(4097)}` }],
      ['text_malformed', null],
    ]
    for (const [code, ticket] of refused) expect([code, await codeOf(ticket)]).toEqual([code, code])
    const fromElsewhere = await hand(good, { origin: 'https://evil.example' })
    expect(fromElsewhere.status).toBe(403)
    expect((await hand(good)).status).toBe(200)
  })

  it('expires with the order, and its pass after a minute', async () => {
    const mine = await key()
    const { to } = (await (await hand(await makeTicket(mine))).json()) as { to: string }
    door.clock.offset = 61
    expect((await follow(to)).headers).toEqual({})
    door.clock.offset = 0
    door.put(ORDER, { appPort: app.port, access: 'owner', user: lowerCaseAddress('0x0000000000000000000000000000000000000002') })
    expect(await codeOf(await makeTicket(mine))).toBe('order_not_owned')
    door.put(ORDER, { appPort: app.port, access: 'owner' })
  })

  it('is refused with a revoked key', async () => {
    const mine = await key()
    door.revoked.add(/urn:rackfair:key:(\S+)/.exec(mine.grant)?.[1] ?? '')
    expect(await codeOf(await makeTicket(mine))).toBe('key_revoked')
    expect(await codeOf(await makeTicket(await key()))).toBeUndefined()
  })

  it('is refused where applications have no origin of their own', async () => {
    const shared = await setupGateway()
    shared.put(ORDER, { appPort: app.port, access: 'owner' })
    const { owner, origin: gateway } = shared
    const ticket = await makeTicket(await makeWorkspaceKey(owner, { ...facts(), gateway }))
    const answer = await fetch(`${gateway}/.rackfair/open`, { method: 'POST', body: JSON.stringify(ticket) })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([409, 'preset_needs_origin'])
    await shared.close()
  })

  it('checks a smart account on chain once, with later visits served from the cache', async () => {
    let questions = 0
    const isSigned = async () => {
      questions += 1
      return true
    }
    const tickets = createTickets({
      chainId: 2985,
      provider: door.provider,
      isSigned,
      isRevoked: () => false,
      sites: () => [door.market],
      now,
    })
    const mine = await key()
    const take = (ticket: VisitTicket) =>
      tickets
        .take(ticket, { gateway: door.origin, visitor: undefined, ownerOf: () => lowerCaseAddress(door.owner.address) })
        .catch((error: AppError) => error.code)
    for (let visit = 0; visit < 20; visit += 1) expect(await take(await makeTicket(mine))).toMatchObject({ orderId: ORDER })
    expect(questions).toBe(1)
  })

  it('keeps the passes of an order, however many another asks for', async () => {
    const user = lowerCaseAddress(door.owner.address)
    const tickets = createTickets({
      ...{ chainId: 2985, provider: door.provider, isRevoked: () => false, sites: () => [door.market], now },
      isSigned: async () => true,
    })
    const [quiet, busy] = [
      { orderId: ORDER, user },
      { orderId: ORDER + 1n, user },
    ]
    const pass = tickets.pass(quiet, door.origin)
    const many = Array.from({ length: 2_000 }, () => tickets.pass(busy, door.origin))
    expect(tickets.usePass(many[0] as string, busy, door.origin)).toBe(false)
    expect(tickets.usePass(many.at(-1) as string, busy, door.origin)).toBe(true)
    expect(tickets.usePass(pass, quiet, door.origin)).toBe(true)
  })

  it('keeps a thousand passes at most', async () => {
    const user = lowerCaseAddress(door.owner.address)
    const tickets = createTickets({
      ...{ chainId: 2985, provider: door.provider, isRevoked: () => false, sites: () => [door.market], now },
      isSigned: async () => true,
    })
    const made = Array.from({ length: 1_001 }, (_, index) => {
      const owned = { orderId: BigInt(index), user }
      return { owned, pass: tickets.pass(owned, door.origin) }
    })
    const used = made.filter(({ owned, pass }) => tickets.usePass(pass, owned, door.origin))
    expect(used).toEqual(made.slice(1))
  })
})
