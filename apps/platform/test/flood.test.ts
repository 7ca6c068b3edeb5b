import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type DeploymentWire, MAX_KEPT_STEPS, MAX_REPORTED_STEPS } from '@rackfair/protocol/deployments'
import type { MarketEvent } from '@rackfair/protocol/events'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { connectAgent } from './connectAgent.ts'
import { signRequest } from './signRequest.ts'
import { type Market, startMarket } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 50 }
const FLOOD_BYTES = 15_000_000
let market: Market
let told: DeploymentWire
beforeAll(async () => {
  market = await startMarket()
  const { act, chain } = market
  await act.becomeProvider()
  await act.becomeProvider(chain.accounts.otherProvider, 'south')
  await act.send(chain.accounts.provider, 'registry', 'setOperator', [chain.accounts.operator.address])
  const { id, block } = await act.buy()
  await market.get(`/v1/orders/${id}?minBlock=${block}`)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(await signRequest(market, { orderId: id }))
  told = (await market.get<DeploymentWire>('/v1/deployments', { method: 'POST', headers, body })).body
})
afterAll(() => market.stop())

it('refuses a report with too many steps, whatever its size', async () => {
  const agent = await connect()
  const steps = Array.from({ length: MAX_REPORTED_STEPS + 1 }, (_, at) => ({ phase: 'Creating' as const, at }))
  agent.send({ type: 'status', deployment: { ...told, phase: 'Creating', steps } })
  expect(await agent.closed).toBe(4001)
  expect(agent.got.at(-1)).toMatchObject({ type: 'refused', code: 'bad_request' })
})

it('publishes the newest step only, and nothing for a repeated report', async () => {
  const agent = await connect()
  const events = await listen()
  const now = Date.now()
  const steps = [
    { phase: 'Starting' as const, at: now },
    { phase: 'Running' as const, at: now + 1 },
  ]
  const running = { type: 'status' as const, deployment: { ...told, phase: 'Running' as const, steps } }
  agent.send(running)
  agent.send(running)
  const degraded = { phase: 'Degraded' as const, at: now + 2, code: 'start_failed', message: 'gone' }
  agent.send({ type: 'status', deployment: { ...told, phase: 'Degraded', steps: [...steps, degraded] } })
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ deployment: { phase: 'Degraded', step: degraded } }), LONG)
  expect(events.map((event) => event.deployment.step.phase)).toEqual(['Running', 'Degraded'])
  expect(events.some((event) => 'steps' in event.deployment)).toBe(false)
})

it('keeps the newest 64 steps of a deployment, and caps its start at the current time', async () => {
  const agent = await connect()
  const far = 8_640_000_000_000_000
  for (let start = 0; start < 96; start += MAX_REPORTED_STEPS) {
    const steps = Array.from({ length: MAX_REPORTED_STEPS }, (_, index) => ({
      phase: 'Running' as const,
      at: far - 96 + start + index,
    }))
    agent.send({ type: 'status', deployment: { ...told, phase: 'Running', steps } })
  }
  await vi.waitFor(async () => expect((await deployment()).steps.at(-1)?.at).toBe(far - 1), LONG)
  expect((await deployment()).steps.map(({ at }) => at)).toEqual(Array.from({ length: 64 }, (_, index) => far - 64 + index))
  const { body } = await market.get<{ global: { medianDeployMs: number } }>('/v1/global/')
  expect(body.global.medianDeployMs).toBeLessThan(600_000)
})

it('does not let an agent respond for another provider', async () => {
  const { act, chain, get } = market
  const { id, block } = await act.buy({ provider: chain.accounts.otherProvider })
  await get(`/v1/orders/${id}?minBlock=${block}`)
  const agent = await connect()
  const other = await connectOther()
  const request = await signRequest(market, { orderId: id, provider: chain.accounts.otherProvider.address })
  const headers = { 'content-type': 'application/json' }
  const answer = get<DeploymentWire>('/v1/deployments', { method: 'POST', headers, body: JSON.stringify(request) })
  const { requestId } = await other.next('deploy')
  agent.send({ type: 'answer', requestId, status: 409, code: 'agent_busy', message: 'forged' })
  agent.send({ type: 'answer', requestId: 'x', status: 409 })
  other.send({ type: 'answer', requestId, status: 409, code: 'preset_unknown', message: 'own' })
  expect((await answer).body).toMatchObject({ code: 'preset_unknown' })
})

// What a provider has used up is missing in the tests that follow: these come after all that send for it.
it('disconnects an agent that sends 15 MB of statuses, and stores few of them', async () => {
  const agent = await connect()
  const disk = diskBytes()
  const count = Math.ceil(FLOOD_BYTES / JSON.stringify(report(0)).length)
  for (let index = 0; index < count; index += 1) agent.send(report(index))
  expect(await agent.closed).toBe(4001)
  expect(agent.got.at(-1)).toMatchObject({ type: 'refused', code: 'rate_limited' })
  expect((await deployment()).steps.length).toBeLessThanOrEqual(MAX_KEPT_STEPS)
  expect(diskBytes() - disk).toBeLessThan(20e6)
})

it('goes on counting where an agent that sent too much connects again', async () => {
  const isRefused = async (heartbeats: number) => {
    const agent = await connectOther()
    for (let sent = 0; sent < heartbeats; sent += 1) agent.heartbeat()
    expect(await agent.closed).toBe(4001)
    expect(agent.got.at(-1)).toMatchObject({ type: 'refused', code: 'rate_limited' })
  }
  await isRefused(4_000)
  // A third of what a new one may send at once.
  await isRefused(1_000)
})

it('publishes few changes of an agent that reconnects endlessly with a new identity', async () => {
  const presence = await listen('presence')
  const refused: unknown[] = []
  const session = 'a'.repeat(32)
  const began = performance.now()
  let granted = 0
  for (let cores = 1; refused.length <= 20; cores += 1) {
    const machine = { cores, memoryGb: 1, diskGb: 1, gpus: 0 }
    const agent = await connectAgent(market, market.chain.accounts.operator, { session, machine })
    const answer = () => agent.got.find(({ type }) => type === 'welcome' || type === 'refused')
    await vi.waitFor(() => expect(answer()).toBeDefined(), LONG)
    if (answer()?.type === 'refused') refused.push(answer())
    else granted += 1
    // Another one is granted every five seconds; on a busy machine, each attempt may take that long.
    expect(granted).toBeLessThanOrEqual(30 + (performance.now() - began) / 5_000)
  }
  expect(refused.at(-1)).toMatchObject({ code: 'rate_limited', message: expect.stringMatching(/come again in \d+ s/) })
  expect(presence.length).toBeLessThanOrEqual(granted)
})

it('limits one address to 32 unauthenticated connections, without affecting others', async () => {
  const url = `${market.platform.url.replace('http', 'ws')}/v1/relay`
  const sockets = await Promise.all(Array.from({ length: 32 }, () => opened(new WebSocket(url))))
  expect(sockets).toEqual(Array(32).fill('open'))
  expect(await opened(new WebSocket(url))).toBe('Unexpected server response: 429')
  const local = new WebSocket(url, { localAddress: '127.0.0.2' })
  expect(await opened(local)).toBe('open')
})

function opened(socket: WebSocket): Promise<string> {
  onTestFinished(() => socket.terminate())
  return new Promise((resolve) => {
    socket.once('open', () => resolve('open'))
    socket.once('error', (error) => resolve(error.message))
  })
}

async function connect() {
  const agent = await connectAgent(market, market.chain.accounts.operator)
  await agent.welcomed()
  return agent
}

async function connectOther() {
  const { otherProvider } = market.chain.accounts
  const agent = await connectAgent(market, otherProvider, { provider: otherProvider.address })
  await agent.welcomed()
  return agent
}

function report(index: number) {
  const steps = Array.from({ length: MAX_REPORTED_STEPS }, (_, step) => {
    return { phase: 'Pulling' as const, at: index * MAX_REPORTED_STEPS + step, message: 'x'.repeat(1_000) }
  })
  return { type: 'status' as const, deployment: { ...told, phase: 'Pulling' as const, steps } }
}

async function deployment(): Promise<DeploymentWire> {
  return (await market.get<DeploymentWire>(`/v1/deployments/${told.id}`)).body
}

function diskBytes(): number {
  const { dataFolder } = market.settings
  return readdirSync(dataFolder).reduce((sum, name) => sum + statSync(join(dataFolder, name)).size, 0)
}

/** Collects events of one topic from now on. */
async function listen(topic = 'deployment') {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const answer = await fetch(`${market.platform.url}/v1/events?topics=${topic}`, { signal: abort.signal })
  const events: Extract<MarketEvent, { type: 'deployment' }>[] = []
  const read = async () => {
    let text = ''
    for await (const chunk of answer.body ?? []) {
      text += new TextDecoder().decode(chunk)
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data) events.push(JSON.parse(data))
      }
    }
  }
  void read().catch(() => undefined)
  return events
}
