import { test as base, expect } from './buyerTest.ts'
import { startRestoredMarket } from './restoredMarket.ts'
import { TestPhone } from './TestPhone.ts'
import { TestRelay } from './TestRelay.ts'

export { expect }

/** A market whose pages can reach a phone through a relay, and such a phone. */
export const test = base.extend<{ phone: TestPhone }, { relay: TestRelay; withAgent: boolean }>({
  withAgent: [false, { option: true, scope: 'worker' }],
  relay: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use) => {
      const relay = await TestRelay.start()
      await use(relay)
      await relay.stop()
    },
    { scope: 'worker' },
  ],
  market: [
    async ({ relay, withAgent }, use) => {
      const site = { walletConnectProjectId: 'test', walletConnectRelayUrl: relay.url }
      const market = await startRestoredMarket({ site, agent: withAgent })
      await use(market)
      await market.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  machines: [1, { scope: 'worker' }],
  friends: async ({ relay }, use) => use([new URL(relay.url).host]),
  phone: async ({ relay, market }, use) => {
    const phone = await TestPhone.start(relay.url, market.rpcUrl)
    await use(phone)
    await phone.stop()
  },
})
