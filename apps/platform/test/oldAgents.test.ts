import { expect, it, onTestFinished } from 'vitest'
import { connectAgent } from './connectAgent.ts'
import { startMarket } from './startMarket.ts'

it('tells an outdated agent so after it proved its key, and accepts a current one', async () => {
  const market = await startMarket({ minAgentVersion: '0.2.0' })
  onTestFinished(() => market.stop())
  await market.act.becomeProvider()
  const { provider, otherUser } = market.chain.accounts
  const old = await connectAgent(market, provider, { version: '0.1.9' })
  const { code, message } = await old.next('refused')
  expect(code).toBe('agent_too_old')
  expect(message).toBe(
    'this agent is 0.1.9, and this platform accepts 0.2.0 and later: update it. Its orders keep running meanwhile, but get no requests',
  )
  expect(await old.closed).toBe(4001)
  const stranger = await connectAgent(market, otherUser, { version: '0.1.9' })
  expect((await stranger.next('refused')).code).toBe('forbidden')
  const updated = await connectAgent(market, provider, { version: '0.2.0' })
  await updated.welcomed()
})
