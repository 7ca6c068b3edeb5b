import { decodeVisitorFrame, encodeVisitorFrame, VISITOR, type VisitorFrame } from '@rackfair/protocol/visitorFrame'
import type { WorkspacePlace } from '@rackfair/protocol/workspace'
import { startPostgres, whyNoPostgres } from '@rackfair/testkit'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { startPlatform } from '../src/startPlatform.ts'
import { connectAgent } from './connectAgent.ts'
import { type Market, startMarket } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 50 }
const KEYS = { text: 'rackfair encryption keys', signature: `0x${'11'.repeat(65)}` }

/** A visitor of a workspace, and the platform's messages to it. */
function visit(url: string) {
  const socket = new WebSocket(url)
  const got: Buffer[] = []
  socket.on('message', (data: Buffer) => got.push(data))
  socket.on('error', () => undefined)
  onTestFinished(() => socket.terminate())
  const closed = new Promise<string>((resolve) => socket.once('close', (code, reason) => resolve(`${code} ${reason}`)))
  const opened = new Promise<void>((resolve) => socket.once('open', resolve))
  return { socket, got, closed, opened }
}

async function agentOf(market: Market) {
  const agent = await connectAgent(market, market.chain.accounts.provider)
  const frames: VisitorFrame[] = []
  agent.socket.on('message', (data: Buffer, isBinary) => {
    const frame = isBinary ? decodeVisitorFrame(data) : undefined
    if (frame) frames.push(frame)
  })
  await agent.welcomed()
  const next = async (type: number, after = 0) => {
    await vi.waitFor(() => expect(frames.slice(after).map((frame) => frame.type)).toContain(type), LONG)
    return frames.slice(after).find((frame) => frame.type === type) as VisitorFrame
  }
  const say = (type: number, visitor: number, body: Uint8Array) =>
    agent.socket.send(encodeVisitorFrame({ type, visitor, body }), { binary: true })
  return { ...agent, frames, next, say }
}

describe('visitors of workspaces', () => {
  let market: Market
  let provider: string
  beforeAll(async () => {
    market = await startMarket()
    await market.act.becomeProvider()
    provider = market.chain.accounts.provider.address.toLowerCase()
    await vi.waitFor(async () => expect((await market.get(`/v1/cp/${provider}`)).status).toBe(200), LONG)
  })
  afterAll(() => market?.stop())

  const urlOf = (of = provider) => `${market.platform.url.replace('http', 'ws')}/v1/workspace/${of}`
  const place = async () => (await market.get<WorkspacePlace>(`/v1/cp/${provider}/workspace`)).body

  it('are given the address of a connected agent, keep its keys after it has left, and are turned away then', async () => {
    expect(await place()).toEqual({ keys: null, url: null })
    const early = visit(urlOf())
    expect(await early.closed).toBe('4001 provider_offline')
    const agent = await agentOf(market)
    agent.send({ type: 'keys', ...KEYS })
    await vi.waitFor(async () => expect(await place()).toEqual({ keys: KEYS, url: `/v1/workspace/${provider}` }), LONG)
    const visitor = visit(urlOf())
    const { visitor: id, body } = await agent.next(VISITOR.open)
    expect(Buffer.from(body).toString()).toContain('127.0.0.1')
    visitor.socket.send(Buffer.from([1, 2, 3]))
    expect(Buffer.from((await agent.next(VISITOR.data)).body)).toEqual(Buffer.from([1, 2, 3]))
    agent.say(VISITOR.data, id, Buffer.from('sealed'))
    await vi.waitFor(() => expect(Buffer.concat(visitor.got).toString()).toBe('sealed'), LONG)
    agent.socket.terminate()
    expect(await visitor.closed).toBe('4001 stream_interrupted')
    expect((await place()).keys).toEqual(KEYS)
  })

  it('learn why the agent closed, and the agent learns that they left', async () => {
    const agent = await agentOf(market)
    const visitor = visit(urlOf())
    const { visitor: id } = await agent.next(VISITOR.open)
    agent.say(VISITOR.close, id, Buffer.from('key_revoked <b>'))
    expect(await visitor.closed).toBe('4000 key_revokedb')
    const other = visit(urlOf())
    await vi.waitFor(() => expect(agent.frames.filter(({ type }) => type === VISITOR.open)).toHaveLength(2), LONG)
    await other.opened
    other.socket.close()
    expect((await agent.next(VISITOR.close)).visitor).toBe(id + 1)
  })

  it('are disconnected for text frames, oversized records and data left unread beyond their credit', async () => {
    const agent = await agentOf(market)
    const wordy = visit(urlOf())
    await wordy.opened
    wordy.socket.send('hello')
    expect(await wordy.closed).toBe('4002 bad_request')
    const large = visit(urlOf())
    await large.opened
    large.socket.send(Buffer.alloc(40_000))
    expect(await large.closed).toMatch(/^1009 /)
    const before = agent.frames.length
    const silent = visit(urlOf())
    const { visitor: id } = await agent.next(VISITOR.open, before)
    await silent.opened
    silent.socket.pause()
    // More than its socket and the platform's limit can hold.
    for (let count = 0; count < 2_000; count += 1) agent.say(VISITOR.data, id, Buffer.alloc(16_000))
    expect((await agent.next(VISITOR.close, before)).visitor).toBe(id)
    await vi.waitFor(async () => {
      const { body } = await market.get<string>('/metrics')
      expect(Number(/rackfair_workspace_unread_bytes (\d+)/.exec(body)?.[1])).toBe(0)
    }, LONG)
  })

  it('are not reachable by agents of other providers, and cannot use an invalid address', async () => {
    const agent = await agentOf(market)
    const visitor = visit(urlOf())
    const { visitor: id } = await agent.next(VISITOR.open)
    agent.say(VISITOR.data, id + 1_000, Buffer.from('nobody'))
    agent.socket.send(Buffer.from([9]), { binary: true })
    agent.say(VISITOR.data, id, Buffer.from('mine'))
    await vi.waitFor(() => expect(Buffer.concat(visitor.got).toString()).toBe('mine'), LONG)
    const wrong = visit(urlOf('0x12'))
    expect(await wrong.closed).toMatch(/^1006 /)
  })

  it('are limited per network', async () => {
    await agentOf(market)
    const visitors = Array.from({ length: 48 }, () => visit(urlOf()))
    await Promise.all(visitors.map(({ opened }) => opened))
    expect(await visit(urlOf()).closed).toMatch(/^1006 /)
  })
})

const missing = whyNoPostgres()

it.skipIf(missing)(
  `routes visitors to the process that holds the agent's connection${missing ? ` (${missing})` : ''}`,
  async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const [first, second] = ['http://a.example', 'http://b.example/p2']
    const market = await startMarket({ databaseUrl: await postgres.createDatabase(), relayUrls: [first, second] })
    onTestFinished(() => market.stop())
    await market.act.becomeProvider()
    const relayUrls = [second, first]
    const api = await startPlatform({ ...market.settings, role: 'api', port: 0, relayUrls }, pino({ level: 'silent' }))
    onTestFinished(() => api.stop())
    const provider = market.chain.accounts.provider.address.toLowerCase()
    await vi.waitFor(async () => expect((await market.get(`/v1/cp/${provider}`)).status).toBe(200), LONG)
    const agent = await agentOf(market)
    agent.send({ type: 'keys', ...KEYS })
    for (const { url } of [market.platform, api]) {
      await vi.waitFor(async () => {
        const answer = await fetch(`${url}/v1/cp/${provider}/workspace`)
        expect(await answer.json()).toEqual({ keys: KEYS, url: `ws://a.example/v1/workspace/${provider}` })
        expect(answer.headers.get('content-security-policy')).toMatch(/ws:\/\/(a|b)\.example ws:\/\/(a|b)\.example/)
      }, LONG)
    }
    expect(await visit(`${api.url.replace('http', 'ws')}/v1/workspace/${provider}`).closed).toBe('4001 provider_offline')
    const visitor = visit(`${market.platform.url.replace('http', 'ws')}/v1/workspace/${provider}`)
    await agent.next(VISITOR.open)
    await visitor.opened
  },
)
