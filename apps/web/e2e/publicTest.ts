import type { Page } from '@playwright/test'
import { updateNodeCall } from '@rackfair/sdk'
import { parseEther } from 'viem'
import { startTestProvider } from './TestProvider.ts'
import { test as base, expect } from './test.ts'

export { expect }
export type Provider = Awaited<ReturnType<typeof startTestProvider>>

/**
 * A market with two providers, helios with four machines and kiln with two, and no panel that offers a wallet. All machines are idle,
 * except for the one of helios that a file names in `sold`; files that name the same one may share a market.
 */
export const test = base.extend<object, { sold: bigint | undefined; helios: Provider; kiln: Provider }>({
  sold: [undefined, { option: true, scope: 'worker' }],
  helios: [
    async ({ market, sold }, use) => {
      const provider = await startTestProvider(market, 'helios', 4)
      if (sold !== undefined) await provider.sellToOther(sold)
      await use(provider)
      provider.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  kiln: [
    async ({ market, helios }, use) => {
      const provider = await startTestProvider(market, 'kiln', 2)
      const node = { ...helios.node, gpuModel: 'RTX 3090', pGPU: parseEther('233'), nMEM: 128 }
      await provider.send(updateNodeCall(provider.addresses, 2n, node))
      await use(provider)
      provider.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test.beforeEach(async ({ page, helios, kiln }) => {
  expect([helios.address, kiln.address]).toHaveLength(2)
  await page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
})

/** The first interaction: content below the viewport loads now. */
export const comes = (page: Page) => page.mouse.move(9, 9)
export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
export const machines = (page: Page) => page.getByRole('row').filter({ hasText: /helios|kiln/ })

/** Opens the filters beside the list. */
export const openFilters = (page: Page) =>
  page
    .getByRole('button', { name: /^Filters/ })
    .filter({ visible: true })
    .click()
