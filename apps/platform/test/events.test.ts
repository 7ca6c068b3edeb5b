import { connect } from 'node:net'
import { type MarketEvent, marketEvent } from '@rackfair/protocol/events'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { insertChanges } from '../src/store/insertChanges.ts'
import { inTransaction, openStore } from '../src/store/openStore.ts'
import { type Market, startMarket } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 20 }
/** Together they may hold up more than the platform keeps, though none of them more than its own share. */
const SLOW = 80
let market: Market
beforeAll(async () => {
  market = await startMarket()
  const block = await market.act.becomeProvider()
  await market.get(`/v1/prices?minBlock=${block}`)
})
afterAll(() => market.stop())

it('names what changed, filtered by topic and user', async () => {
  const { act, chain } = market
  const all = await listen('')
  const mine = await listen(`?topics=order&user=${chain.accounts.user.address}`)
  const others = await listen(`?topics=order&user=${chain.accounts.otherUser.address}`)
  const { id } = await act.buy()
  const order = { type: 'order', orderId: String(id) }
  await vi.waitFor(() => expect(mine.events.map(({ event }) => event)).toEqual([expect.objectContaining(order)]), LONG)
  await vi.waitFor(
    () => expect(new Set(all.events.map(({ event }) => event.type))).toEqual(new Set(['block', 'node', 'provider', 'order'])),
    LONG,
  )
  expect(others.events).toEqual([])
})

it('resumes after the last id seen, and sends a reset if that is too old', async () => {
  const { act, chain } = market
  const first = await listen('?topics=provider')
  await act.send(chain.accounts.provider, 'registry', 'revise', [{ name: 'one', ip: '127.0.0.1', domain: '', port: 7070 }])
  await vi.waitFor(() => expect(first.events).toHaveLength(1), LONG)
  first.close()
  const block = await act.send(chain.accounts.provider, 'registry', 'revise', [
    { name: 'two', ip: '127.0.0.1', domain: '', port: 7070 },
  ])
  await market.get(`/v1/prices?minBlock=${block}`)
  const resumed = await listen('?topics=provider', first.events[0]?.id)
  await vi.waitFor(
    () => expect(resumed.events.map(({ event }) => event)).toEqual([expect.objectContaining({ type: 'provider', block })]),
    LONG,
  )
  const lost = await listen('', '999999')
  await vi.waitFor(() => expect(lost.events[0]?.event.type).toBe('reset'), LONG)
})

it('never returns stale data after a change', async () => {
  const { act, chain, get } = market
  const path = `/v1/cp/${chain.accounts.provider.address}`
  for (const name of ['three', 'four', 'five']) {
    for (let call = 0; call < 3; call += 1) await get(path)
    const fields = { name, ip: '127.0.0.1', domain: '', port: 7070 }
    const block = await act.send(chain.accounts.provider, 'registry', 'revise', [fields])
    await get(`/v1/prices?minBlock=${block}`)
    expect((await get(path)).body).toMatchObject({ name })
    expect((await get(path)).body).toMatchObject({ name })
  }
})

it('keeps at most 64 MB for readers who do not read, and lets the slowest go', async () => {
  const before = await unread()
  for (let more = 0; more < SLOW; more += 1) listenWithoutReading()
  const reader = await listen('?topics=presence')
  await vi.waitFor(async () => expect((await unread()).streams).toBe(before.streams + SLOW + 1), LONG)
  const store = await openStore(market.settings, { migrate: false })
  onTestFinished(() => store.close())
  const body = JSON.stringify({ type: 'presence', cp: zeroAddress, online: true, filler: 'x'.repeat(64_000) })
  let most = 0
  let sent = 0
  // What the two ends of each connection hold is full first.
  for (let now = await unread(); now.streams > before.streams + SLOW; now = await unread()) {
    most = Math.max(most, now.bytes)
    await inTransaction(store, (session) => insertChanges(session, Array(4).fill({ topic: 'presence', user: '', body })))
    sent += 4
    await vi.waitFor(() => expect(reader.events).toHaveLength(sent), LONG)
  }
  expect(most).toBeGreaterThan(45e6)
  expect(most).toBeLessThanOrEqual(64e6)
  const { streams, bytes } = await unread()
  expect(streams).toBeGreaterThan(before.streams + SLOW / 2)
  expect(bytes).toBeLessThanOrEqual(64e6)
})

it('keeps at most 200 streams open per address, or per IPv6 subscriber, and leaves room for others', async () => {
  const behindProxy = await startMarket({ trustedProxies: 1 })
  const open = new AbortController()
  const held: Response[] = []
  onTestFinished(() => {
    open.abort()
    return behindProxy.stop()
  })
  const ask = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    const answer = await fetch(`${behindProxy.platform.url}/v1/events?topics=order`, { headers, signal: open.signal })
    // A response without references is garbage-collected, and its stream ends.
    held.push(answer)
    return answer.status
  }
  const answers = await Promise.all(Array.from({ length: 220 }, (_, index) => ask(`2001:db8:1:2::${index.toString(16)}`)))
  expect(answers.filter((status) => status === 200)).toHaveLength(200)
  expect(answers.filter((status) => status === 429)).toHaveLength(20)
  expect([await ask('2001:db8:1:3::1'), await ask('192.0.2.1')]).toEqual([200, 200])
})

/** How many event streams are open, and what their readers have not read. */
async function unread() {
  const text = (await market.get<string>('/metrics')).body
  const read = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
  return { streams: read('rackfair_event_streams'), bytes: read('rackfair_event_streams_unread_bytes') }
}

function listenWithoutReading() {
  const { hostname, port } = new URL(market.platform.url)
  const socket = connect({ host: hostname, port: Number(port) })
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.on('error', () => socket.destroy())
  socket.write('GET /v1/events?topics=presence HTTP/1.1\r\nhost: localhost\r\n\r\n')
}

async function listen(query: string, lastId?: string) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
  const answer = await fetch(`${market.platform.url}/v1/events${query}`, { headers, signal: abort.signal })
  const events: { id: string | undefined; event: MarketEvent }[] = []
  const read = async () => {
    let text = ''
    for await (const chunk of answer.body ?? []) {
      text += new TextDecoder().decode(chunk)
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data) events.push({ id: /^id: (.*)$/m.exec(block)?.[1], event: marketEvent.parse(JSON.parse(data)) })
      }
    }
  }
  void read().catch(() => undefined)
  return { events, close: () => abort.abort() }
}
