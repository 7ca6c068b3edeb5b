import { type Api, buyOrder, cancelOrder, connectMarket, type Renter, searchIdle, withAccount } from '@rackfair/sdk'
import { Sandbox } from '@rackfair/sdk/sandbox'
import { parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectAgent } from './connectAgent.ts'
import { type FaultyRpc, faultyRpc } from './faultyRpc.ts'
import { type Market, startMarket } from './startMarket.ts'

/** What a buyer is told while the platform has not read yet what the chain says already. */
let market: Market
let rpc: FaultyRpc
let renter: Renter
/** Asked of the platform since the last purchase or end. */
const asked: string[] = []
beforeAll(async () => {
  market = await startMarket({}, undefined, async (chain) => {
    rpc = await faultyRpc(chain.rpcUrl)
    return rpc.url
  })
  const { act, chain, platform } = market
  const { faucet, user } = chain.accounts
  await act.becomeProvider()
  await act.send(faucet, 'credit', 'transfer', [user.address, parseEther('2000')])
  const watched: typeof fetch = (input, init) => {
    asked.push(String(input))
    return fetch(input, init)
  }
  renter = withAccount(await connectMarket({ platform: platform.url, rpcUrl: chain.rpcUrl, fetch: watched }), user)
})
afterAll(async () => {
  await market?.stop()
  rpc?.stop()
})
beforeEach(async () => {
  const agent = await connectAgent(market, market.chain.accounts.provider)
  await agent.welcomed()
  agent.heartbeat()
  const isOnline = async () => (await searchIdle(renter)).nodes.some(({ blocker }) => blocker === undefined)
  await expect.poll(isOnline, { timeout: 60_000 }).toBe(true)
  asked.length = 0
})

const MACHINE = { nodeId: 1, term: '1h' } as const
const bought = () => buyOrder(renter, { ...MACHINE, provider: market.chain.accounts.provider.address })
const until = (path: string) => expect.poll(() => asked.some((url) => url.includes(path)), { timeout: 60_000 }).toBe(true)

it('finds a machine whose order has just ended, once the platform has read that', async () => {
  const { orderId, block } = await bought()
  await untilRead(renter.api, block)
  await expect(Sandbox.quote(renter)).rejects.toMatchObject({ code: 'not_found' })
  rpc.set('stall')
  await cancelOrder(renter, orderId)
  asked.length = 0
  const quoted = Sandbox.quote(renter)
  await until('/v1/nodes')
  rpc.set('none')
  expect(await quoted).toBeGreaterThan(0n)
})

it('says that the market is behind, where it stays behind', async () => {
  const { orderId, block } = await bought()
  await untilRead(renter.api, block)
  rpc.set('stall')
  await cancelOrder(renter, orderId)
  await expect(searchIdle(renter, {}, { withinMs: 1 })).rejects.toMatchObject({ code: 'not_ready', retryable: true })
  rpc.set('none')
  expect((await searchIdle(renter)).nodes).toHaveLength(1)
})

it('leads to an order, and lists it, that another program has just bought', async () => {
  rpc.set('stall')
  const { orderId } = await bought()
  asked.length = 0
  const [connected, listed] = [Sandbox.connect(renter, orderId), Sandbox.list(renter)]
  await until('/v1/orders/')
  rpc.set('none')
  expect((await connected).orderId).toBe(orderId)
  expect((await listed).map((one) => one.orderId)).toEqual([orderId])
  ;(await connected).close()
  await cancelOrder(renter, orderId)
})

async function untilRead(api: Pick<Api, 'global'>, block: bigint): Promise<void> {
  const read = async () => Number((await api.global({ minBlock: block })).block)
  await expect.poll(read, { timeout: 60_000 }).toBeGreaterThanOrEqual(Number(block))
}
