import { whyNoRoom } from '@rackfair/testkit'
import { missingPackages } from '../../../scripts/systemPackages.mjs'
import { startRestoredMarket } from './restoredMarket.ts'
import { test as base, connect, expect } from './test.ts'

export { connect, expect }

const missing = missingPackages('provider') ?? ['a Debian system']

/** Why no agent can run here, else undefined. Test files pass it to `test.skip`. */
export const whyNoAgent = missing.length > 0 ? `no container engine on this machine: ${missing.join(', ')}` : whyNoRoom()

/** A market with this machine as its provider: the real agent with containers. */
export const test = base.extend({
  market: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use) => {
      const market = await startRestoredMarket({ agent: true })
      await use(market)
      await market.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
})
