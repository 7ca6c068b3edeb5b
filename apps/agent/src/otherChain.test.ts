import { visit } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupMarket, startTestAgent, type TestMarket } from './testing/setupAgent.ts'
import { whyNoContainers } from './testing/whyNoContainers.ts'

const NGINX = 2
const OTHER_CHAIN = 31_415
const reason = whyNoContainers()

/** A short version of story.test.ts in which only the configuration file of the local market can be relied on. */
describe.skipIf(reason)(`a chain other than the local one (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let agent: Awaited<ReturnType<typeof startTestAgent>> | undefined
  beforeAll(async () => {
    market = await setupMarket((config) => ({ ...config, stopWorkloadsOnExit: true }), OTHER_CHAIN)
  })
  afterAll(async () => {
    await agent?.stop()
    await market?.close()
  })

  it('brings a provider Online from its configuration file, with an application and a visitor', async () => {
    expect(market.config()).toMatchObject({ chainId: OTHER_CHAIN, gateway: { host: '0.0.0.0' } })
    agent = await startTestAgent(market)
    await market.peer.until('a heartbeat', () => market.peer.heartbeats() > 0)
    const orderId = await market.buyer.buy(market.provider, 1n)
    const answer = await market.peer.deploy(await market.buyer.sign({ orderId, deployId: NGINX, provider: market.provider }))
    expect(answer.status).toBe(202)
    await market.peer.phase(answer.deployment?.id ?? '', 'Running')
    await expect.poll(() => market.buyer.appOf(orderId)).toBe('nginx')
    const page = await visit(`${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`)
    expect(page.status).toBe(200)
    const wrongChain = await market.buyer.sign({ orderId, deployId: 0, provider: market.provider, chainId: 2985 })
    expect(await market.peer.deploy(wrongChain)).toMatchObject({ status: 403, code: 'wrong_chain' })
  })
})
