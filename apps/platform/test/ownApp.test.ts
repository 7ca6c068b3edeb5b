import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { appText } from '@rackfair/app-spec/appText'
import { parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import { type DeploymentWire, deploymentShape } from '@rackfair/protocol/deployments'
import { zodOf } from '@rackfair/protocol/zodOf'
import { keccak256, toBytes } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { connectAgent } from './connectAgent.ts'
import { type RequestChange, signRequest } from './signRequest.ts'
import { type Market, startMarket } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 50 }
let market: Market
let orderId: bigint
beforeAll(async () => {
  market = await startMarket()
  const { act, chain } = market
  await act.becomeProvider()
  await act.send(chain.accounts.provider, 'registry', 'setOperator', [chain.accounts.operator.address])
  const { id, block } = await act.buy()
  orderId = id
  await market.get(`/v1/orders/${id}?minBlock=${block}`)
})
afterAll(() => market.stop())

const app = appText(parseAppSpec({ image: 'redis:7', secrets: ['PASSWORD'] }).spec as never)
const hash = (text: string) => keccak256(toBytes(text))
const sealed = 'ab'.repeat(300)

async function signed(change: Partial<RequestChange> = {}) {
  const request = { orderId, deployId: OWN_APP_DEPLOY_ID, appHash: hash(app), envHash: hash('salted'), ...change }
  return signRequest(market, request)
}
const post = (body: unknown) =>
  market.get<DeploymentWire & { code: string; message: string }>('/v1/deployments', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

it('refuses an application that differs from the signed one, is not canonical, or lacks a value', async () => {
  const good = await signed()
  const code = async (body: unknown) => (await post(body)).body.code
  expect(await code({ ...good, sealed })).toBe('app_malformed')
  expect(await code({ ...good, sealed, app: app.replace('redis', 'evil') })).toBe('app_malformed')
  const spaced = `${app} `
  expect(await code({ ...(await signed({ appHash: hash(spaced) })), sealed, app: spaced })).toBe('app_malformed')
  const short = '{"image":"redis"}'
  expect(await code({ ...(await signed({ appHash: hash(short) })), sealed, app: short })).toBe('app_malformed')
  const without = await signRequest(market, { orderId, deployId: OWN_APP_DEPLOY_ID, appHash: hash(app) })
  expect(await post({ ...without, app })).toMatchObject({ status: 400, body: { code: 'env_not_allowed' } })
  // Plain-text values are rejected.
  expect(await code({ ...good, sealed, app, env: { PASSWORD: 'correct horse' } })).toBe('bad_request')
  expect(await code({ ...good, sealed, app: 'x'.repeat(65_537) })).toBe('bad_request')
  // A preset accepts none.
  expect(await code({ ...(await signRequest(market, { orderId })), app })).toBe('app_malformed')
})

it('passes a signed application to the agent unchanged, and shows what the agent reports', async () => {
  const agent = await connectAgent(market, market.chain.accounts.operator)
  await agent.welcomed()
  const answer = post({ ...(await signed()), sealed, app })
  const sent = (await agent.next('deploy')) as unknown as { requestId: string; app: string; sealed: string }
  expect(sent).toMatchObject({ app, sealed })
  const told: DeploymentWire = {
    id: 'own',
    orderId: String(orderId),
    deployId: OWN_APP_DEPLOY_ID,
    user: market.chain.accounts.user.address.toLowerCase(),
    provider: market.chain.accounts.provider.address.toLowerCase(),
    phase: 'Pulling',
    steps: [{ phase: 'Pulling', at: Date.now() }],
    requestedAt: Date.now(),
    visitUrl: null,
  }
  agent.send({ type: 'answer', requestId: sent.requestId, status: 202, deployment: told })
  const { id } = zodOf(deploymentShape).parse((await answer).body)
  const image = `docker.io/library/redis:7@sha256:${'ab'.repeat(32)}`
  for (const details of [
    { image, pull: { bytes: 10, totalBytes: 100, layers: 0, totalLayers: 3 } },
    { image, pull: { bytes: 100, totalBytes: 100, layers: 3, totalLayers: 3 } },
    { image, ports: [{ protocol: 'tcp' as const, port: 6379, outside: 20_001 }] },
  ]) {
    agent.send({ type: 'status', deployment: { ...told, details } })
    await vi.waitFor(
      async () => expect((await market.get<DeploymentWire>(`/v1/deployments/${id}`)).body.details).toEqual(details),
      LONG,
    )
  }
})
