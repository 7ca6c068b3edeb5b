import { deploymentIdOf } from '@rackfair/protocol/deploymentIdOf'
import { type DeploymentWire, deploymentShape } from '@rackfair/protocol/deployments'
import { nodeShape } from '@rackfair/protocol/nodes'
import type { AgentMessage } from '@rackfair/protocol/relay'
import { zodOf } from '@rackfair/protocol/zodOf'
import { pino } from 'pino'
import { keccak256, type LocalAccount, toBytes } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { startPlatform } from '../src/startPlatform.ts'
import { NODE } from './actorOn.ts'
import { connectAgent } from './connectAgent.ts'
import { type RequestChange, signRequest } from './signRequest.ts'
import { type Market, startMarket } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 50 }
let market: Market
let orderId: bigint
/** Milliseconds that the platform's clock is ahead: what changes of a machine is news once a minute. */
let ahead = 0
beforeAll(async () => {
  market = await startMarket({}, () => Date.now() + ahead)
  const { act, chain } = market
  await act.becomeProvider()
  await act.send(chain.accounts.provider, 'registry', 'setOperator', [chain.accounts.operator.address])
  const { id, block } = await act.buy()
  orderId = id
  await market.get(`/v1/orders/${id}?minBlock=${block}`)
})
afterAll(() => market.stop())

it('shows a provider online once its agent has proved the operator key, and refuses any other key', async () => {
  const { chain, get } = market
  const stranger = await connect(chain.accounts.otherUser)
  await vi.waitFor(() => expect(stranger.got.at(-1)).toMatchObject({ type: 'refused', code: 'forbidden' }), LONG)

  const agent = await connect(chain.accounts.operator)
  await agent.welcomed()
  const path = `/v1/nodes/${chain.accounts.provider.address}/1`
  await vi.waitFor(
    async () => expect(zodOf(nodeShape).parse((await get(path)).body)).toMatchObject({ online: true, switchedOn: true }),
    LONG,
  )
})

it('refuses a proof made for another platform', async () => {
  const { chain, platform } = market
  const passedOn = await connectAgent(market, chain.accounts.operator, { provedTo: 'https://hostile.example' })
  expect(await passedOn.next('refused')).toMatchObject({ code: 'forbidden', message: 'the proof is not signed by this key' })
  const elsewhere = await connectAgent(market, chain.accounts.operator, { platform: 'https://other.example' })
  const { message } = await elsewhere.next('refused')
  expect(message).toContain('this platform is not https://other.example')
  expect(message).toContain(platform.url)
})

it('refuses a second agent with the same key while the first responds, and accepts it once the first is gone', async () => {
  const { operator } = market.chain.accounts
  const first = await connect(operator)
  await first.welcomed()
  const second = await connect(operator)
  expect(await second.next('refused')).toMatchObject({ code: 'duplicate_agent' })
  expect(await second.closed).toBe(4003)
  expect(first.socket.readyState).toBe(WebSocket.OPEN)
  const sameAgain = await connectAgent(market, operator, { session: first.session, isGone: true })
  await sameAgain.welcomed()
  expect(await first.closed).toBe(4002)
  const next = await connect(operator)
  await next.welcomed()
  await sameAgain.closed
})

it('refuses a heartbeat from an unauthenticated connection', async () => {
  const { url } = market.platform
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/relay`)
  const ended = new Promise((resolve) => socket.once('close', (code, reason) => resolve([code, reason.toString()])))
  socket.on('open', () => socket.send(JSON.stringify({ type: 'heartbeat' })))
  expect(await ended).toEqual([4001, 'unauthenticated'])
})

it('relays a signed request, returns the agent’s response and follows its steps', async () => {
  const { chain, get } = market
  const agent = await connect(chain.accounts.operator)
  await agent.welcomed()
  const { answer, request } = await deploy(2)
  const sent = await agent.next('deploy')
  expect(sent).toMatchObject(request)
  const at = Date.now()
  const told = agentDeployment([{ phase: 'Accepted', at }])
  agent.send({ type: 'answer', requestId: sent.requestId, status: 202, deployment: told })
  const accepted = await answer
  expect(accepted.status).toBe(202)
  const { id } = zodOf(deploymentShape).parse(accepted.body)
  const visitUrl = 'http://127.0.0.1:7070/?OrderId=1'
  const steps = [{ phase: 'Accepted', at } as const, { phase: 'Running', at: at + 700 } as const]
  agent.send({ type: 'status', deployment: { ...told, steps, phase: 'Running', visitUrl } })
  await vi.waitFor(async () => {
    const { body } = await get<DeploymentWire>(`/v1/orders/${orderId}/deployment`)
    expect(body).toMatchObject({ id, phase: 'Running', visitUrl })
    expect(body.steps.map((step) => step.phase)).toEqual(['Queued', 'Accepted', 'Running'])
  }, LONG)
  for (const elsewhere of ['https://evil.example/', 'http://127.0.0.1@evil.example/', 'javascript:alert(1)']) {
    agent.send({ type: 'status', deployment: { ...told, steps, phase: 'Running', visitUrl } })
    const shown = async () => (await get<DeploymentWire>(`/v1/deployments/${id}`)).body.visitUrl
    await vi.waitFor(async () => expect(await shown()).toBe(visitUrl), LONG)
    agent.send({ type: 'status', deployment: { ...told, steps, phase: 'Running', visitUrl: elsewhere } })
    await vi.waitFor(async () => expect(await shown()).toBeNull(), LONG)
  }
  const totals = await get<{ global: { medianDeployMs: number } }>('/v1/global/')
  expect(totals.body.global.medianDeployMs).toBeGreaterThan(0)
})

it('shows what was requested through another platform, and takes the same text as the same deployment', async () => {
  const { chain, get } = market
  const agent = await connect(chain.accounts.operator)
  await agent.welcomed()
  const request = await signRequest(market, { orderId, deployId: 5 })
  const id = deploymentIdOf(keccak256(toBytes(request.text)))
  const at = Date.now()
  const told = { ...agentDeployment([{ phase: 'Accepted', at }]), id, deployId: 5, requestedAt: at }
  const shown = () => get<DeploymentWire>(`/v1/orders/${orderId}/deployment`)
  const report = (deployment: object) => agent.send({ type: 'status', deployment: deployment as DeploymentWire })
  report({ ...told, user: chain.accounts.otherUser.address.toLowerCase() })
  report({ ...told, orderId: String(orderId + 1n) })
  report(told)
  await vi.waitFor(async () => expect((await shown()).body).toMatchObject({ id, phase: 'Accepted', deployId: 5 }), LONG)
  report({ ...told, phase: 'Running', steps: [...told.steps, { phase: 'Running', at: at + 1 }] })
  await vi.waitFor(async () => expect((await shown()).body).toMatchObject({ id, phase: 'Running' }), LONG)
  expect(await post('/v1/deployments', request)).toMatchObject({ status: 202, body: { id, phase: 'Running' } })
  expect(agent.got.filter(({ type }) => type === 'deploy')).toEqual([])

  // One is kept: an agent that invents more fills no table.
  for (const more of [1, 2, 3]) report({ ...told, id: `more-${more}`, requestedAt: at + more })
  await vi.waitFor(async () => expect((await shown()).body.id).toBe('more-3'), LONG)
  expect([(await get(`/v1/deployments/${id}`)).status, (await get('/v1/deployments/more-2')).status]).toEqual([404, 404])
  report({ ...told, id: 'late' })
  report({ ...told, id: 'more-3', requestedAt: at + 3, phase: 'Failed', steps: [{ phase: 'Failed', at: at + 9 }] })
  await vi.waitFor(async () => expect((await shown()).body).toMatchObject({ id: 'more-3', phase: 'Failed' }), LONG)
  expect((await get('/v1/deployments/late')).status).toBe(404)
})

it('returns the error code of an agent that refuses', async () => {
  const { chain } = market
  const agent = await connect(chain.accounts.operator)
  await agent.welcomed()
  const { answer } = await deploy(3)
  const sent = await agent.next('deploy')
  agent.send({ type: 'answer', requestId: sent.requestId, status: 409, code: 'preset_does_not_fit', message: 'too large' })
  expect(await answer).toMatchObject({ status: 409, body: { code: 'preset_does_not_fit' } })
})

it('keeps a request for an agent that is away, through a reconnect, and says so', async () => {
  const { chain, get } = market
  await vi.waitFor(async () => expect((await get<string>('/metrics')).body).toContain('rackfair_agents_connected 0'), LONG)
  const { answer, request } = await deploy(0)
  expect(await answer).toMatchObject({ status: 202, body: { phase: 'Queued', deployId: 0 } })
  const again = await post('/v1/deployments', request)
  expect(again.body.id).toBe((await answer).body.id)
  const agent = await connect(chain.accounts.operator)
  expect(await agent.next('deploy')).toMatchObject(request)
})

it('asks the agent once for what is asked under one name, and again only where no agent took it', async () => {
  const { chain, settings } = market
  const agent = await connect(chain.accounts.operator)
  await agent.welcomed()
  const onceHash = `0x${'11'.repeat(32)}`
  let seconds = 0
  const named = async (change: RequestChange = {}) => {
    seconds += 1
    const time = Math.floor(Date.now() / 1000) - 200 + seconds
    return post('/v1/deployments', await signed({ onceHash, time, ...change }))
  }
  const answerNext = async (answer: (requestId: string) => AgentMessage) => {
    const before = agent.got.length
    await vi.waitFor(() => expect(agent.got.slice(before).map(({ type }) => type)).toContain('deploy'), LONG)
    agent.send(answer((agent.got.at(-1) as { requestId: string }).requestId))
  }
  const refused = answerNext((requestId) => ({ type: 'answer', requestId, status: 429, code: 'agent_busy', message: 'wait' }))
  expect((await named()).body.code).toBe('agent_busy')
  await refused
  const told = { ...agentDeployment([{ phase: 'Accepted', at: Date.now() }]), id: 'named' }
  const taken = answerNext((requestId) => ({ type: 'answer', requestId, status: 202, deployment: told }))
  const first = await named()
  await taken
  expect(first).toMatchObject({ status: 202, body: { phase: 'Accepted' } })
  const asked = agent.got.length

  expect((await named()).body).toEqual(first.body)
  expect(await named({ deployId: 3 })).toMatchObject({ status: 409, body: { code: 'once_taken' } })
  expect((await named({ signer: chain.accounts.otherUser })).body.code).toBe('wrong_signer')
  // The process that took the request is gone before its answer was heard.
  const next = await startPlatform({ ...settings, port: 0 }, pino({ level: 'silent' }))
  const headers = { 'content-type': 'application/json' }
  const again = await signed({ onceHash, time: Math.floor(Date.now() / 1000) - 100 })
  const answer = await fetch(`${next.url}/v1/deployments`, { method: 'POST', headers, body: JSON.stringify(again) })
  expect(await answer.json()).toEqual(first.body)
  await next.stop()
  expect(agent.got.slice(asked).map(({ type }) => type)).not.toContain('deploy')

  const other = answerNext((requestId) => ({ type: 'answer', requestId, status: 409, code: 'preset_does_not_fit', message: '' }))
  expect((await named({ onceHash: `0x${'22'.repeat(32)}` })).body.code).toBe('preset_does_not_fit')
  await other
})

it('refuses a request that is not signed by the buyer, altered, old, or for another order, provider or chain', async () => {
  const { chain } = market
  const { user, otherUser, otherProvider } = chain.accounts
  const refusals: [string, RequestChange][] = [
    ['wrong_signer', { signer: otherUser }],
    ['order_not_owned', { wallet: otherUser.address, signer: otherUser }],
    ['order_not_found', { orderId: 999n }],
    ['wrong_provider', { provider: otherProvider.address }],
    ['wrong_chain', { chainId: 985 }],
    ['text_too_old', { time: Math.floor(Date.now() / 1000) - 301 }],
    ['text_in_future', { time: Math.floor(Date.now() / 1000) + 120 }],
    ['env_not_allowed', { envHash: `0x${'11'.repeat(32)}` }],
  ]
  for (const [code, change] of refusals) {
    expect([code, (await post('/v1/deployments', await signed(change))).body.code]).toEqual([code, code])
  }
  const good = await signed({ signer: user })
  expect((await post('/v1/deployments', { ...good, text: `${good.text}\n` })).body.code).toBe('text_malformed')
  expect((await post('/v1/deployments', { ...good, sealed: 'A'.repeat(64) })).body.code).toBe('env_not_allowed')
  const withHash = await signed({ envHash: `0x${'11'.repeat(32)}` })
  for (const plain of [{ env: { A: '1' } }, { sealed: 'A'.repeat(64), env: { A: '1' } }, { sealed: '{"A":"1"}' }])
    expect((await post('/v1/deployments', { ...withHash, ...plain })).body.code).toBe('bad_request')
})

it('serves the literal greet calls of the specification', async () => {
  const { get } = market
  const clean = await signed({ deployId: 0, time: Math.floor(Date.now() / 1000) - 1 })
  const headers = { signtoken: clean.signature, signmessage: encodeURIComponent(clean.text), 'content-type': 'application/json' }
  expect((await get('/greet/deployid', { headers })).status).toBe(400)
  expect(await get('/greet/cleanuser', { headers })).toMatchObject({ status: 202, body: { deployId: 0 } })
  expect((await get('/greet/cleanuser')).status).toBe(400)
})

it('warns buyers of resources that a provider oversells, until it has them', async () => {
  const { chain, get } = market
  const { address } = chain.accounts.provider
  const told = async () => {
    const read = async (path: string) => (await get(path)).body as { oversold?: string[] }
    const { items } = (await get(`/v1/nodes?provider=${address}`)).body as { items: { oversold?: string[] }[] }
    const all = [await read(`/v1/nodes/${address}/1`), await read(`/v1/cp/${address}`), ...items]
    return all.map(({ oversold }) => oversold ?? [])
  }
  const { nCPU, core, nGPU, nMEM, nDISK } = NODE
  const whole = { cores: nCPU * core, memoryGb: nMEM, diskGb: nDISK, gpus: nGPU }
  const small = await connectAgent(market, chain.accounts.operator, { machine: { ...whole, memoryGb: nMEM - 1, gpus: 0 } })
  await small.welcomed()
  await vi.waitFor(async () => expect(await told()).toEqual(Array(3).fill(['memory', 'gpu'])), LONG)
  small.socket.terminate()
  await small.closed
  ahead += 61_000
  const grown = await connectAgent(market, chain.accounts.operator, { machine: whole })
  await grown.welcomed()
  await vi.waitFor(async () => expect(await told()).toEqual(Array(3).fill([])), LONG)
})

it('shows buyers what a provider’s agent takes, even after a restart of the platform', async () => {
  const { chain, get } = market
  const { address } = chain.accounts.provider
  const takes = {
    ownImages: { maxGb: 40, registries: ['ghcr.io'] },
    ports: true,
    ssh: false,
    protected: true,
    runtimes: ['runc' as const],
  }
  const machine = { cores: 1, memoryGb: 1, diskGb: 1, gpus: 0, takes }
  ahead += 61_000
  const agent = await connectAgent(market, chain.accounts.operator, { machine })
  await agent.welcomed()
  const idsTaking = async (what: string) =>
    ((await get(`/v1/nodes?provider=${address}&takes=${what}`)).body as { items: { id: number; takes: string[] }[] }).items
  await vi.waitFor(async () => expect((await get(`/v1/cp/${address}`)).body).toMatchObject({ takes }), LONG)
  expect((await idsTaking('own_images,protected')).length).toBeGreaterThan(0)
  expect((await idsTaking('own_images'))[0]?.takes).toEqual(['own_images', 'ports', 'protected'])
  expect(await idsTaking('ssh')).toEqual([])
  const hostile = { ...machine, takes: { ...takes, ownImages: { maxGb: 1e9 } } }
  const lying = await connectAgent(market, chain.accounts.operator, { machine: hostile })
  await lying.closed
})

function connect(operator: LocalAccount) {
  return connectAgent(market, operator)
}

function signed(change: RequestChange) {
  return signRequest(market, { orderId, ...change })
}

async function deploy(deployId: number) {
  const request = await signed({ deployId })
  return { request, answer: post('/v1/deployments', request) }
}

function post(path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' }
  return market.get<DeploymentWire & { code: string }>(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

function agentDeployment(steps: DeploymentWire['steps']): DeploymentWire {
  const { accounts } = market.chain
  const { user, provider } = accounts
  return {
    id: 'agent-own-id',
    orderId: String(orderId),
    deployId: 2,
    user: user.address.toLowerCase(),
    provider: provider.address.toLowerCase(),
    phase: steps.at(-1)?.phase ?? 'Accepted',
    steps,
    requestedAt: Date.now(),
    visitUrl: null,
  }
}
