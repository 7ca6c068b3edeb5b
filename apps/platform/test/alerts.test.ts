import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { creditAbi } from '@rackfair/contracts'
import { alertMessage } from '@rackfair/protocol/alertRequests'
import { type AlertCreated, alertsAnswer } from '@rackfair/protocol/alerts'
import { zodOf } from '@rackfair/protocol/zodOf'
import {
  buyOrder,
  createPurse,
  depositToPurse,
  getOrder,
  keepOrder,
  readAddresses,
  withdrawFromPurse,
  withPurse,
} from '@rackfair/sdk'
import { freePort } from '@rackfair/testkit'
import { SMTPServer } from 'smtp-server'
import { createWalletClient, http, type LocalAccount, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { refusedTarget } from '../src/alerts/sendWebhook.ts'
import { NODE } from './actorOn.ts'
import { connectAgent } from './connectAgent.ts'
import { type Market, startMarket } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 50 }
const ALL = ['sold', 'closed', 'offline', 'gas', 'pledge', 'failed', 'ending']

describe('alerts, with a real receiver and a real mail server', () => {
  let market: Market
  let skewMs = 0
  const mails: string[] = []
  const received: { body: string; signature: string; unanswered: number }[] = []
  /** Requests that the receiver has read and never answers. */
  const unanswered = new Set<object>()
  /** The receiver's next responses; 200 if none is planned. */
  const planned: ('500' | 'never')[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const plan = request.url === '/silent' ? 'never' : planned.shift()
      if (plan === 'never') {
        unanswered.add(request)
        response.once('close', () => unanswered.delete(request))
        return
      }
      const signature = String(request.headers['rackfair-signature'])
      if (!plan) received.push({ body, signature, unanswered: unanswered.size })
      response.writeHead(plan ? 500 : 204).end()
    })
  })
  const createSmtp = () =>
    new SMTPServer({
      ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
      onData(stream, _session, done) {
        let text = ''
        stream.on('data', (chunk) => {
          text += chunk
        })
        stream.on('end', () => {
          mails.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
          done()
        })
      },
    })
  let smtp = createSmtp()
  let hook = ''
  let smtpPort = 0
  const listens = () => new Promise<void>((resolve) => smtp.listen(smtpPort, '127.0.0.1', resolve))
  const isAway = () => new Promise<void>((resolve) => smtp.close(resolve))
  const tokens = new Map<string, string>()
  const messages = () => received.map(({ body }) => alertMessage.parse(JSON.parse(body)))

  beforeAll(async () => {
    smtpPort = await freePort()
    await listens()
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const from = 'Rackfair <alerts@market.example>'
    market = await startMarket({ smtp: { url: `smtp://127.0.0.1:${smtpPort}`, from } }, () => Date.now() + skewMs)
    await market.act.becomeProvider()
  })
  afterAll(async () => {
    await market.stop()
    receiver.closeAllConnections()
    receiver.close()
    await isAway()
  })

  async function call<Body>(path: string, account?: LocalAccount, body?: object) {
    const token = account ? (tokens.get(account.address) ?? (await signIn(account))) : ''
    const post = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    return market.get<Body>(path, { ...post, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
  }
  async function signIn(account: LocalAccount): Promise<string> {
    const { body } = await market.get<{ nonce: string }>('/v1/auth/nonce', { method: 'POST' })
    const { host, origin } = new URL(market.platform.url)
    const text = { domain: host, uri: origin, nonce: body.nonce, version: '1', issuedAt: new Date() } as const
    const message = createSiweMessage({ ...text, address: account.address, chainId: 2985 })
    const signed = JSON.stringify({ message, signature: await account.signMessage({ message }) })
    const headers = { 'content-type': 'application/json' }
    const opened = await market.get<{ token: string }>('/v1/auth/verify', { method: 'POST', headers, body: signed })
    tokens.set(account.address, opened.body.token)
    return opened.body.token
  }
  /** Has the platform and the chain tell the same time; neither goes back. */
  async function alignClocks(): Promise<void> {
    const { timestamp } = await market.act.client.getBlock()
    const behind = Math.floor((Date.now() + skewMs) / 1000) - Number(timestamp)
    if (behind > 0) await market.act.warp(behind)
    else skewMs -= behind * 1000
  }
  const rule = (change: object = {}) => ({ kind: 'webhook', target: hook, events: ALL, locale: 'en', ...change })

  it('requires a sign-in, and refuses invalid targets', async () => {
    const { provider } = market.chain.accounts
    expect((await call('/v1/alerts')).status).toBe(401)
    for (const target of ['ftp://example.com/', 'https://user:pass@example.com/', 'hello', 'https://'])
      expect([target, (await call('/v1/alerts', provider, rule({ target }))).status]).toEqual([target, 400])
    expect((await call('/v1/alerts', provider, rule({ kind: 'mail', target: 'nobody' }))).status).toBe(400)
    expect((await call('/v1/alerts', provider, rule({ events: [] }))).status).toBe(400)
    const elsewhere = ['https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/latest', 'http://example.com/']
    expect(elsewhere.map((target) => refusedTarget(target, false))).not.toContain(undefined)
    expect(refusedTarget('https://example.com/hook', false)).toBeUndefined()
  })

  it('notifies a provider of a sale once, signed, with identical retries after an error and a timeout', {
    timeout: 240_000,
  }, async () => {
    const { provider } = market.chain.accounts
    const created = await call<AlertCreated>('/v1/alerts', provider, rule())
    const { alert, secret } = created.body
    expect(created.status).toBe(200)
    expect((await call(`/v1/alerts/${alert.id}/test`, provider, {})).body).toEqual({ error: null })
    expect(messages().at(-1)).toMatchObject({ event: 'test', account: provider.address.toLowerCase() })
    const [, seconds = '', hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(received[0]?.signature ?? '') ?? []
    const expected = createHmac('sha256', secret ?? '').update(`${seconds}.${received[0]?.body}`)
    expect(hex).toBe(expected.digest('hex'))

    received.length = 0
    planned.push('500', 'never')
    const { id } = await market.act.buy()
    const last = async () => zodOf(alertsAnswer).parse((await call('/v1/alerts', provider)).body).alerts[0]?.last
    await vi.waitFor(async () => expect(await last()).toMatchObject({ attempts: 1, error: 'it answered 500' }), LONG)
    skewMs += 31_000
    await vi.waitFor(async () => expect((await last())?.error).toMatch(/did not answer/), LONG)
    skewMs += 121_000
    await vi.waitFor(() => expect(messages()).toHaveLength(1), LONG)
    expect(messages()[0]).toMatchObject({ event: 'sold', orderId: String(id), id: `sold:${id}` })
    expect(messages()[0]?.text).toContain(`order ${id}`)
    await vi.waitFor(async () => expect(await last()).toMatchObject({ attempts: 3, error: null }), LONG)

    await market.act.send(market.chain.accounts.user, 'market', 'userCancel', [id])
    await vi.waitFor(() => expect(messages().map((one) => one.event)).toEqual(['sold', 'closed']), LONG)
    const recent = async () => zodOf(alertsAnswer).parse((await call('/v1/alerts', provider)).body).recent
    await vi.waitFor(
      async () =>
        expect((await recent()).map(({ at: _, ...one }) => one)).toEqual([
          { id: `closed:${id}`, event: 'closed', orderId: String(id), state: 'sent' },
          { id: `sold:${id}`, event: 'sold', orderId: String(id), state: 'sent' },
        ]),
      LONG,
    )
    const { user } = market.chain.accounts
    expect(zodOf(alertsAnswer).parse((await call('/v1/alerts', user)).body).recent).toEqual([])
  })

  it('reports once that an agent has been away for five minutes', { timeout: 240_000 }, async () => {
    received.length = 0
    const { provider } = market.chain.accounts
    const agent = await connectAgent(market, provider)
    await vi.waitFor(async () => {
      const { body } = await market.get<{ online: boolean }>(`/v1/cp/${provider.address}`)
      expect(JSON.stringify(body)).toContain('"online":true')
    }, LONG)
    agent.socket.terminate()
    skewMs += 500_000
    await vi.waitFor(() => expect(messages().map((one) => one.event)).toEqual(['offline']), LONG)
    expect(messages()[0]?.text).toMatch(/offline for \d+ minutes/)
    for (let tick = 0; tick < 3; tick += 1) await market.platform.sweep()
    expect(messages()).toHaveLength(1)
  })

  it('warns once a day of a key that runs out of gas and of a pledge too small for a sale', {
    timeout: 240_000,
  }, async () => {
    received.length = 0
    const { act, chain } = market
    const { provider } = chain.accounts
    const agent = await connectAgent(market, provider)
    await agent.welcomed()
    const before = await act.client.getBalance({ address: provider.address })
    await act.send(provider, 'registry', 'add_node', [{ ...NODE, pGPU: parseEther('100000') }])
    const told = () => messages().filter(({ event }) => event === 'gas' || event === 'pledge')
    await vi.waitFor(() => expect(told()).toHaveLength(1), LONG)
    expect(told()[0]?.text).toMatch(/^A node of yours cannot be sold: your free pledge/)
    await act.rpc('anvil_setBalance', [provider.address, '0x38d7ea4c67fff'])
    skewMs += 301_000
    await vi.waitFor(() => expect(told().map(({ event }) => event)).toEqual(['pledge', 'gas']), LONG)
    for (let tick = 0; tick < 3; tick += 1) await market.platform.sweep()
    expect(told()).toHaveLength(2)
    await act.rpc('anvil_setBalance', [provider.address, `0x${before.toString(16)}`])
    await act.send(provider, 'registry', 'del_node', [2n])
    agent.socket.terminate()
  })

  it('tells the owner of a purse when its renewals run out, and that an order is over while its agent is away', async () => {
    received.length = 0
    const { act, chain } = market
    const { client } = act
    const pass = async (seconds: number) => {
      await act.warp(seconds)
      skewMs += seconds * 1000
    }
    await alignClocks()
    const account = privateKeyToAccount(generatePrivateKey())
    await act.rpc('anvil_setBalance', [account.address, '0x56bc75e2d63100000'])
    await act.send(chain.accounts.faucet, 'credit', 'transfer', [account.address, parseEther('300')])
    expect((await call('/v1/alerts', account, rule({ events: ['ending', 'closed'] }))).status).toBe(200)
    const told = () => messages().filter((one) => one.account === account.address.toLowerCase())
    const tells = (events: readonly string[]) => vi.waitFor(() => expect(told().map(({ event }) => event)).toEqual(events), LONG)

    const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
    const addresses = await readAddresses(client, chain.deployment.access)
    const owner = { client, addresses, chainId: chain.chainId, purses: chain.deployment.purseFactory, wallet }
    const { purse } = await createPurse(owner)
    await depositToPurse(owner, purse, parseEther('200'))
    const machine = { provider: chain.accounts.provider.address, nodeId: 1 }
    const { orderId } = await buyOrder(withPurse(owner, purse), { ...machine, term: '5 days' })
    await act.send(chain.accounts.provider, 'market', 'activate', [orderId])
    const { activateTime, rate } = await getOrder(client, addresses, orderId)
    const until = activateTime + 6 * 86_400
    await keepOrder(owner, purse, orderId, { maxMonthWei: rate, maxTipWei: 0n, until, stepHours: 24 })

    // Its own end is two days away, that of its renewals three.
    await pass(3 * 86_400 + 3_600)
    await tells(['ending'])
    expect(told()[0]).toMatchObject({ orderId: String(orderId), text: expect.stringMatching(/ends in 7[01] hours/) })
    const left = await client.readContract({
      address: addresses.credit,
      abi: creditAbi,
      functionName: 'balanceOf',
      args: [purse],
    })
    await withdrawFromPurse(owner, purse, left)
    skewMs += 301_000
    await tells(['ending', 'ending'])
    expect(told()[1]?.text).toMatch(/ends in 4[67] hours/)
    await pass(86_400)
    await tells(['ending', 'ending', 'ending'])
    await pass(86_400)
    await tells(['ending', 'ending', 'ending', 'closed'])
    expect(told()[3]?.text).toBe(`Order ${orderId} is closed: it ran to its end.`)
    await act.send(account, 'market', 'release', [orderId])
    for (let tick = 0; tick < 3; tick += 1) await market.platform.sweep()
    expect(told()).toHaveLength(4)
  })

  it('sends mail to a confirmed address, in its language, until it unsubscribes', async () => {
    const { provider } = market.chain.accounts
    const target = 'ada@example.com'
    const { body } = await call<AlertCreated>(
      '/v1/alerts',
      provider,
      rule({ kind: 'mail', target, locale: 'zh', events: ['sold'] }),
    )
    expect(body).toMatchObject({ secret: null, alert: { confirmed: false } })
    expect((await call(`/v1/alerts/${body.alert.id}/test`, provider, {})).status).toBe(409)
    const token = /confirm=([\w-]{43})/.exec(mails.at(-1) ?? '')?.[1] ?? ''
    expect((await call('/v1/alerts/confirm', undefined, { token })).status).toBe(200)
    expect((await call('/v1/alerts/confirm', undefined, { token: 'x'.repeat(43) })).status).toBe(404)
    mails.length = 0
    await alignClocks()
    const { id } = await market.act.buy()
    await vi.waitFor(() => expect(mails).toHaveLength(1), LONG)
    expect(mails[0]).toMatch(/List-Unsubscribe:\s+<http.*unsubscribe=/i)
    expect(mails[0]).toContain('To: ada@example.com')
    await call('/v1/alerts/unsubscribe', undefined, { token })
    const { alerts } = zodOf(alertsAnswer).parse((await call('/v1/alerts', provider)).body)
    expect(alerts.map(({ kind }) => kind)).toEqual(['webhook'])
    await market.act.send(market.chain.accounts.user, 'market', 'userCancel', [id])
  })

  it('delivers the mail of a sale once after an outage of the mail server', { timeout: 240_000 }, async () => {
    const { provider, user } = market.chain.accounts
    mails.length = 0
    // An alert also tells of sales of the last minute.
    skewMs += 120_000
    await market.act.warp(120)
    const { body } = await call<AlertCreated>(
      '/v1/alerts',
      provider,
      rule({ kind: 'mail', target: 'ada@example.com', events: ['sold'] }),
    )
    const token = /confirm=([\w-]{43})/.exec(mails.at(-1) ?? '')?.[1] ?? ''
    expect((await call('/v1/alerts/confirm', undefined, { token })).status).toBe(200)
    mails.length = 0
    await isAway()
    const { id } = await market.act.buy()
    const last = async () => {
      const { alerts } = zodOf(alertsAnswer).parse((await call('/v1/alerts', provider)).body)
      return alerts.find((one) => one.id === body.alert.id)?.last
    }
    await vi.waitFor(
      async () => expect(await last()).toMatchObject({ attempts: 1, error: expect.stringContaining('ECONNREFUSED') }),
      LONG,
    )
    smtp = createSmtp()
    await listens()
    expect(mails).toEqual([])
    skewMs += 31_000
    await vi.waitFor(async () => expect(await last()).toMatchObject({ attempts: 2, error: null }), LONG)
    for (let tick = 0; tick < 3; tick += 1) await market.platform.sweep()
    expect(mails.filter((mail) => mail.includes(`orderinfo?id=${id}`))).toHaveLength(1)
    await call('/v1/alerts/unsubscribe', undefined, { token })
    await market.act.send(user, 'market', 'userCancel', [id])
  })

  it('delivers to others while three targets of one account never respond', async () => {
    const { provider, user } = market.chain.accounts
    const silent = rule({ target: hook.replace('/hook', '/silent'), events: ['sold'] })
    for (let count = 0; count < 3; count += 1) expect((await call('/v1/alerts', provider, silent)).status).toBe(200)
    expect((await call('/v1/alerts', user, rule({ events: ['closed'] }))).status).toBe(200)
    const { id } = await market.act.buy()
    await vi.waitFor(() => expect(unanswered.size).toBe(2), LONG)
    await market.act.send(user, 'market', 'userCancel', [id])
    const toUser = ({ body }: { body: string }) => {
      const { account, orderId } = alertMessage.parse(JSON.parse(body))
      return account === user.address.toLowerCase() && orderId === String(id)
    }
    await vi.waitFor(() => expect(received.find(toUser)?.unanswered).toBeOneOf([1, 2]), LONG)
  })

  it('saves nothing while the mail server is away, and no eleventh alert', async () => {
    const { otherUser } = market.chain.accounts
    await isAway()
    const refused = await call<{ code: string; message: string }>(
      '/v1/alerts',
      otherUser,
      rule({ kind: 'mail', target: 'ada@example.com' }),
    )
    expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('nothing was saved') } })
    for (let count = 0; count < 10; count += 1) expect((await call('/v1/alerts', otherUser, rule())).status).toBe(200)
    expect(await call('/v1/alerts', otherUser, rule())).toMatchObject({ status: 409 })
    const { alerts } = zodOf(alertsAnswer).parse((await call('/v1/alerts', otherUser)).body)
    expect(alerts).toHaveLength(10)
    const first = alerts[0]?.id ?? ''
    expect((await call(`/v1/alerts/${first}/remove`, market.chain.accounts.provider, {})).status).toBe(404)
    expect((await call(`/v1/alerts/${first}/remove`, otherUser, {})).status).toBe(200)
  })
})
