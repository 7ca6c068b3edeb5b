import type { Page } from '@playwright/test'
import { type Api, createApi, readMarket } from '@rackfair/sdk'
import { startTestProvider } from './TestProvider.ts'
import type { TestWallet } from './TestWallet.ts'
import { test as base, connect, expect, openConnected } from './test.ts'

export { connect, expect }

export type Provider = Awaited<ReturnType<typeof startTestProvider>>

/** Starting point of a purchase. */
export interface Start {
  page: Page
  market: { url: string }
  provider: Provider
  wallet: TestWallet
  api: Api
  node: number
}

/**
 * One market with one provider for all purchase tests. `node` belongs to the test alone, `freeNode` returns another one. A file that sets
 * `machines` has its own market.
 */
export const test = base.extend<
  { node: number; start: Start; quiet: undefined },
  { machines: number; provider: Provider; api: Api; freeNode: () => number }
>({
  machines: [64, { option: true, scope: 'worker' }],
  provider: [
    async ({ market, machines }, use) => {
      const provider = await startTestProvider(market, 'helios', machines)
      await use(provider)
      provider.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  api: [async ({ market }, use) => use(createApi({ baseUrl: market.url })), { scope: 'worker' }],
  freeNode: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use) => {
      let last = 0
      await use(() => ++last)
    },
    { scope: 'worker' },
  ],
  node: async ({ freeNode }, use) => use(freeNode()),
  start: async ({ page, market, provider, wallet, api, node }, use) => use({ page, market, provider, wallet, api, node }),
  // The panel that offers a wallet has its own test; here it would be in the way.
  quiet: [
    async ({ context }, use) => {
      await context.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
      await use(undefined)
    },
    { auto: true },
  ],
})

export const duration = (page: Page) => page.getByRole('textbox', { name: 'Duration' })
export const create = (page: Page) => page.getByRole('button', { name: /^Create Order/ })
/** Unfolds what speaks for the machine, and what stands behind its price. */
export async function unfold(page: Page): Promise<void> {
  await page.getByText('Why', { exact: true }).click()
  await page.getByText('Price per resource, refund rule').click()
}
export const success = (page: Page) => page.getByRole('dialog', { name: 'Create Order Submit Success' })

/** The purchase of a machine for a month, whose price is a round sum. */
export function purchaseUrl({ market, provider, node }: Pick<Start, 'market' | 'provider' | 'node'>): string {
  return `${market.url}/addorder?provider=${provider.address}&node=${node}&for=1mo`
}

/** Funds the wallet and opens the machine, up to the press of Create Order. */
export async function readyToBuy(start: Start): Promise<void> {
  const { page, wallet, api } = start
  await api.faucet(wallet.address)
  await openConnected(page, wallet, purchaseUrl(start))
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')
}

/** Buys and returns the order number. The page then shows My orders. */
export async function buy(start: Start): Promise<string> {
  await readyToBuy(start)
  await create(start.page).click()
  await expect(success(start.page)).toBeVisible()
  const id = /Order (\d+)/.exec((await success(start.page).textContent()) ?? '')?.[1]
  if (id === undefined) throw new Error('the success popup names no order')
  await success(start.page).getByRole('button', { name: 'Go to My orders' }).click()
  return id
}

export async function creditOf(provider: Provider, wallet: TestWallet): Promise<bigint> {
  return readMarket(provider.reader, provider.addresses, 'credit', 'balanceOf', [wallet.address])
}

export async function allowanceOf(provider: Provider, wallet: TestWallet): Promise<bigint> {
  const { market } = provider.addresses
  return readMarket(provider.reader, provider.addresses, 'credit', 'allowance', [wallet.address, market])
}
