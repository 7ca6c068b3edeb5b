import type { DeploymentWire } from '@rackfair/protocol/deployments'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signRequest } from './signRequest.ts'
import { type Market, startMarket } from './startMarket.ts'

/** The calls of the specification, each with exactly its paths, payloads and field names. */
let market: Market
let orderId: bigint
let feeWei: bigint
let provider: string
let user: string
beforeAll(async () => {
  market = await startMarket()
  const { act, chain } = market
  provider = chain.accounts.provider.address
  user = chain.accounts.user.address
  await act.becomeProvider()
  const { id, fee } = await act.buy()
  orderId = id
  feeWei = fee
  const block = await act.send(chain.accounts.provider, 'market', 'activate', [id])
  await market.get(`/v1/orders/${id}?minBlock=${block}`)
})
afterAll(() => market.stop())

const AMOUNT = /^(0|[1-9]\d*)$/
const amount = expect.stringMatching(AMOUNT)
const whole = expect.any(Number)
const offered = (price: string, num: number) => ({ priceMon: price, priceSec: amount, num })
const NODE = {
  id: 1,
  cp: expect.any(String),
  cpu: { ...offered('43000000000000000000', 2), model: 'Xeon Silver 4316', core: 20 },
  gpu: { ...offered('133000000000000000000', 2), model: 'RTX 4090' },
  mem: offered('500000000000000000', 128),
  disk: offered('20000000000000000', 2_000),
  exist: true,
  sold: true,
  avail: false,
  online: false,
}
const PROVIDER = { name: 'north', ip: '127.0.0.1', domain: '', port: 7070, nodes: [expect.objectContaining(NODE)] }

it('GET /user/{address}/order/list returns an array of orders with provider and node_id', async () => {
  const { status, body } = await market.get<object[]>(`/v1/user/${user}/order/list`)
  expect(status).toBe(200)
  expect(body).toEqual([
    expect.objectContaining({
      id: String(orderId),
      user: user.toLowerCase(),
      provider: provider.toLowerCase(),
      node_id: 1,
      appName: 'nginx',
      remain: String(feeWei),
      remuneration: '0',
      activateTime: whole,
      lastSettleTime: whole,
      probation: whole,
      duration: 2_592_000,
      status: 2,
      UserConfirm: false,
      ProviderConfirm: true,
      deployTime: 0,
      totalValue: String(feeWei),
      p: {
        pCPU: '43000000000000000000',
        pGPU: '133000000000000000000',
        pMEM: '500000000000000000',
        pDISK: '20000000000000000',
      },
      r: { nCPU: 2, nGPU: 2, nMEM: 128, nDISK: 2_000 },
    }),
  ])
})

it('GET /cp/list/0/1000 returns the providers with their nodes', async () => {
  const { status, body } = await market.get<object[]>('/v1/cp/list/0/1000')
  expect(status).toBe(200)
  const counts = { nNode: 1, uNode: 1, nMem: 128, uMem: 128, nDisk: 2_000, uDisk: 2_000 }
  expect(body).toEqual([expect.objectContaining({ ...PROVIDER, ...counts, address: provider.toLowerCase(), online: false })])
  expect(await market.get('/v1/cp/list/0/1001')).toMatchObject({ status: 400, body: { code: 'bad_request' } })
})

it('GET /cp/{address} returns one provider, whatever the case of the address', async () => {
  for (const address of [provider, provider.toLowerCase()]) {
    const { status, body } = await market.get(`/v1/cp/${address}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...PROVIDER, addr: provider.toLowerCase() })
  }
  expect(await market.get(`/v1/cp/${user}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

it('POST /order/fee takes duration, node_id and provider and returns the fee with 18 decimals', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ duration: 2_592_000, node_id: 1, provider })
  const answer = await market.get('/v1/order/fee', { method: 'POST', headers, body })
  expect(answer).toMatchObject({ status: 200, body: { fee: String(feeWei) } })
})

it('GET /global/ returns the field global, with and without the trailing slash', async () => {
  for (const path of ['/v1/global/', '/v1/global']) {
    const { status, body } = await market.get<{ global: object }>(path)
    expect(status).toBe(200)
    expect(body.global).toMatchObject({
      ...{ cpNumber: 1, nodeGlobal: 1, nodeUsed: 1 },
      ...{ memGlobal: 128, diskGlobal: 2_000, memUsed: 128, diskUsed: 2_000 },
    })
  }
})

it('serves the unversioned paths of the specification alike', async () => {
  const headers = { 'content-type': 'application/json' }
  const fee = { method: 'POST', headers, body: JSON.stringify({ duration: 2_592_000, node_id: 1, provider }) }
  const calls: [string, RequestInit?][] = [
    [`/user/${user}/order/list`],
    ['/cp/list/0/1000'],
    [`/cp/${provider}`],
    ['/global/'],
    ['/order/fee', fee],
  ]
  for (const [path, init] of calls) {
    const [plain, versioned] = await atOneBlock(() => Promise.all([market.get(path, init), market.get(`/v1${path}`, init)]))
    expect([path, plain.status, plain.body]).toEqual([path, 200, versioned.body])
  }
})

type Answer = Awaited<ReturnType<Market['get']>>

/**
 * Retries until both answers are from the same block: a new block may arrive between them, and values that grow every second would differ.
 */
async function atOneBlock(ask: () => Promise<[Answer, Answer]>): Promise<[Answer, Answer]> {
  for (;;) {
    const answers = await ask()
    const [first, second] = answers.map(({ headers }) => headers.get('x-rackfair-block'))
    if (first === second) return answers
  }
}

it('GET /greet/deployid deploys with the headers SignToken and SignMessage, and refuses to clean', async () => {
  expect(await greet('/greet/deployid', 2)).toMatchObject({ status: 202, body: { orderId: String(orderId), deployId: 2 } })
  expect(await greet('/greet/deployid', 0)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
})

it('GET /greet/cleanuser cleans with the headers SignToken and SignMessage, and refuses to deploy', async () => {
  expect(await greet('/greet/cleanuser', 0)).toMatchObject({ status: 202, body: { orderId: String(orderId), deployId: 0 } })
  expect(await greet('/greet/cleanuser', 2)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
})

async function greet(path: string, deployId: number) {
  const { text, signature } = await signRequest(market, { orderId, deployId })
  const headers = { SignToken: signature, SignMessage: encodeURIComponent(text), 'Content-Type': 'application/json' }
  return market.get<DeploymentWire>(path, { headers })
}
