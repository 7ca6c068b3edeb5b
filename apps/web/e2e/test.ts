import { existsSync } from 'node:fs'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { CHROMIUM, openPage, type RunningMarket, whyItRests } from '@rackfair/testkit'
import { startRestoredMarket } from './restoredMarket.ts'
import { TestWallet } from './TestWallet.ts'
import { LAST_PAGE, watchPage } from './watchPage.ts'

export { expect }

/** Tag of a walk that most runs skip: another test covers the same parts, or it differs only in a path, language, theme or width. */
const LONG = '@long'

/**
 * `market` belongs to the worker, so another file that asks for the same one may have used it; `wallet` is installed in `page`; a
 * connection to a host other than the market’s and `friends` fails the test.
 */
export const test = base.extend<
  { wallet: TestWallet; friends: string[]; outside: string[]; chromium: undefined },
  { market: RunningMarket }
>({
  // In a fixture, not in the file: a file imported by several tests is evaluated only once.
  chromium: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use, testInfo) => {
      testInfo.skip(!existsSync(CHROMIUM), `no Chromium at ${CHROMIUM}`)
      const resting = testInfo.tags.includes(LONG) ? whyItRests(testInfo.title) : undefined
      testInfo.skip(resting !== undefined, resting ?? '')
      await use(undefined)
    },
    { auto: true },
  ],
  friends: [[], { option: true }],
  market: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use) => {
      const market = await startRestoredMarket()
      await use(market)
      await market.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  outside: [
    async ({ page, market, friends }, use) => {
      const outside: string[] = []
      const own = [new URL(market.url).host, new URL(market.rpcUrl).host, ...friends]
      const look = (opened: { url: () => string }) => {
        const url = new URL(opened.url())
        if (/^(https?|wss?):$/.test(url.protocol) && !own.includes(url.host)) outside.push(opened.url())
      }
      page.on('request', look)
      page.on('websocket', look)
      await use(outside)
      expect(outside).toEqual([])
    },
    { auto: true },
  ],
  // The prerendered content is there before the app that responds.
  page: async ({ page }, use, testInfo) => {
    const witness = watchPage(page)
    const goto = page.goto.bind(page)
    page.goto = async (...where) => {
      const response = await openPage({ goto }, ...where)
      await touch(page)
      return response
    }
    const reload = page.reload.bind(page)
    page.reload = (options) => openPage({ goto: () => reload(options) }, page.url())
    await use(page)
    // A request that the page sends as the test ends may still be with a handler of it, and its answer goes with the page.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (testInfo.status !== testInfo.expectedStatus) testInfo.annotations.push({ type: LAST_PAGE, description: await witness() })
  },
  wallet: async ({ page, market }, use) => {
    const wallet = new TestWallet(page, market.rpcUrl)
    await wallet.install()
    await use(wallet)
  },
})

/** Hovers over a control of a server-rendered page, which loads the app. */
export async function touch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const link = document.querySelector('#app[data-ahead] a')
    link?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  })
  await page.locator('#app[data-ahead]').waitFor({ state: 'detached' })
}

/** Opens the list of wallets from any page. */
export async function openConnect(page: Page): Promise<void> {
  const list = page.getByRole('dialog').getByRole('list', { name: 'Popular' })
  const opener = page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })
  await expect(async () => {
    if (!(await page.getByRole('dialog').isVisible())) await opener.click({ timeout: 2000 })
    await expect(list).toBeVisible({ timeout: 3000 })
  }).toPass()
}

/** Connects the test wallet and signs in, from any page. */
export async function connect(page: Page, wallet: TestWallet): Promise<void> {
  await openConnect(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: wallet.name }).click()
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Opens `url` as on a later visit with the test wallet: connected and signed in, without a dialog. */
export async function openConnected(page: Page, wallet: TestWallet, url: string): Promise<void> {
  await wallet.returns(url)
  await page.goto(url)
  await expect(page.getByRole('button', { name: /^(Account|账户)/ }).filter({ visible: true })).toBeVisible()
}

/**
 * Checks a radio button, checkbox or switch, or with `to: false` unchecks it. A page that keeps the choice in its address may show it only a
 * moment later, when Playwright's own `check` has given up.
 */
export async function choose(control: Locator, { to = true, force = false } = {}): Promise<void> {
  if ((await control.isChecked()) !== to) await control.click({ force })
  await expect(control).toBeChecked({ checked: to })
}
