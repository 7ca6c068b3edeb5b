import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { NodeWire } from '@rackfair/protocol/nodes'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { connectAgent } from './connectAgent.ts'
import { signRequest } from './signRequest.ts'
import { type Market, startMarket } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 50 }
let ahead = 0
const clock = () => Date.now() + ahead * 1000
let market: Market
let orderId: bigint
beforeAll(async () => {
  market = await startMarket({}, clock)
  const { act, chain } = market
  await act.becomeProvider()
  await act.send(chain.accounts.provider, 'registry', 'setOperator', [chain.accounts.operator.address])
  const { id, block } = await act.buy()
  orderId = id
  await market.get(`/v1/orders/${id}?minBlock=${block}`)
})
afterAll(() => market.stop())
beforeEach(() => {
  ahead = 0
})

it('shows a node offline after 90 s without a heartbeat, and online with the next one', async () => {
  const agent = await connectAgent(market, market.chain.accounts.operator)
  await agent.welcomed()
  await vi.waitFor(async () => expect(await node()).toMatchObject({ online: true, switchedOn: true }), LONG)
  const heardAt = Date.now()
  const heardFor = (seconds: number) => {
    ahead = seconds - (Date.now() - heardAt) / 1000
  }
  expect(await node()).toMatchObject({ offlineSince: null })
  heardFor(60)
  await market.platform.sweep()
  expect(await node()).toMatchObject({ online: true })
  heardFor(95)
  await market.platform.sweep()
  await vi.waitFor(async () => expect(await node()).toMatchObject({ online: false, switchedOn: true }), LONG)
  expect(Math.abs(Number((await node()).offlineSince) - heardAt / 1000)).toBeLessThan(30)
  expect((await totals()).nodeOnline).toBe(0)
  agent.heartbeat()
  await vi.waitFor(async () => expect(await node()).toMatchObject({ online: true }), LONG)
  agent.socket.terminate()
})

it('expires a request that no agent took within five minutes, reports it, and never sends it', async () => {
  await agentsGone()
  const { get } = market
  const request = await signRequest(market, { orderId })
  const headers = { 'content-type': 'application/json' }
  const { body } = await get<DeploymentWire>('/v1/deployments', { method: 'POST', headers, body: JSON.stringify(request) })
  expect(body).toMatchObject({ phase: 'Queued' })
  ahead = 240
  await market.platform.sweep()
  expect(await deployment(body.id)).toMatchObject({ phase: 'Queued' })
  ahead = 291
  await vi.waitFor(async () => expect(await deployment(body.id)).toMatchObject({ phase: 'Failed' }), LONG)
  const steps = (await deployment(body.id)).steps.map(({ phase, code, message }) => [phase, code, message])
  expect(steps).toEqual([
    ['Queued', undefined, undefined],
    ['Failed', 'provider_offline', 'the provider did not take the request in time'],
  ])
  const agent = await connectAgent(market, market.chain.accounts.operator)
  await agent.welcomed()
  await market.platform.sweep()
  expect(agent.got.map(({ type }) => type)).not.toContain('deploy')
  agent.socket.terminate()
})

it('delivers a request that waited four minutes', async () => {
  await agentsGone()
  const { get } = market
  const request = await signRequest(market, { orderId, deployId: 3 })
  const headers = { 'content-type': 'application/json' }
  await get('/v1/deployments', { method: 'POST', headers, body: JSON.stringify(request) })
  ahead = 240
  const agent = await connectAgent(market, market.chain.accounts.operator)
  expect(await agent.next('deploy')).toMatchObject(request)
})

async function node(): Promise<NodeWire> {
  return (await market.get<NodeWire>(`/v1/nodes/${market.chain.accounts.provider.address}/1`)).body
}

async function totals() {
  return (await market.get<{ global: { nodeOnline: number } }>('/v1/global/')).body.global
}

async function deployment(id: string): Promise<DeploymentWire> {
  return (await market.get<DeploymentWire>(`/v1/deployments/${id}`)).body
}

async function agentsGone(): Promise<void> {
  await vi.waitFor(async () => expect((await market.get<string>('/metrics')).body).toContain('rackfair_agents_connected 0'), LONG)
}
