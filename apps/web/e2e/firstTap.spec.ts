import type { Page } from '@playwright/test'
import { devices } from '@playwright/test'
import { startTestProvider } from './TestProvider.ts'
import { expect, test } from './test.ts'

/** Choosing a browser, even the same one, would need another worker with another market. */
const { defaultBrowserType: _, ...phone } = devices['Pixel 7']
test.use({ ...phone, viewport: { width: 360, height: 740 } })
test.beforeEach(({ page }) => page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1')))

/**
 * A slow phone on which the page is painted but its scripts, or those `held`, are still loading; `arrive` lets them load and waits until the
 * page responds.
 */
async function painted(page: Page, url: string, held = /\/assets\/.*\.js$/) {
  const phone = await page.context().newCDPSession(page)
  await phone.send('Emulation.setCPUThrottlingRate', { rate: process.env.RACKFAIR_DEEP === '1' ? 6 : 2 })
  const program = Promise.withResolvers<void>()
  await page.route(held, (route) => program.promise.then(() => route.continue()))
  const ahead = page.locator('#app[data-ahead]')
  // The fixture's own goto waits for the app.
  await page.evaluate((to) => location.assign(to), url).catch(() => undefined)
  await ahead.getByRole('heading', { level: 1 }).waitFor()
  // Before its stylesheet has come, the page is laid out without it where a script asks, and controls are elsewhere.
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  return {
    /** The center of a control, where a finger or a mouse hits it. */
    middleOf: async (name: string | RegExp) => {
      const box = await ahead.getByRole('button', { name }).boundingBox()
      if (!box) throw new Error(`${name} is not painted`)
      return [box.x + box.width / 2, box.y + box.height / 2] as const
    },
    arrive: async () => {
      program.resolve()
      await ahead.waitFor({ state: 'detached' })
    },
  }
}

/** The list with its machines, and with these words: on a busy machine, the prerendered page of the build comes first. */
async function paintedList(page: Page, url: string, words = 'drawn-from', held?: RegExp) {
  await expect.poll(async () => (await page.request.get(`${url}/nodelist`)).text()).toContain(words)
  return painted(page, `${url}/nodelist`, held)
}

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' }).filter({ visible: true })

for (const path of ['/', '/status', '/nodelist']) {
  test(`opens the menu at once on a tap right after ${path} is painted, and keeps it open`, { tag: '@long' }, async ({
    page,
    market,
  }) => {
    const phone = await painted(page, market.url + path)
    await page.touchscreen.tap(...(await phone.middleOf('Open menu')))
    await expect(menu(page)).toBeVisible()
    await phone.arrive()
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible()
    await expect(menu(page)).toBeVisible()
  })

  test(`opens the wallets on a tap on Connect Wallet right after ${path} is painted`, { tag: '@long' }, async ({
    page,
    market,
  }) => {
    const phone = await painted(page, market.url + path)
    await page.touchscreen.tap(...(await phone.middleOf('Connect Wallet')))
    await expect(page.getByRole('dialog', { name: 'Connect a wallet' })).toContainText('Opening your wallet')
    await phone.arrive()
    await expect(page.getByRole('dialog').getByRole('list', { name: 'Popular' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Connect Wallet' })).toBeFocused()
  })
}

test('opens the list’s filters before the app has loaded, and applies what is chosen', async ({ page, market }) => {
  const phone = await paintedList(page, market.url)
  await page.touchscreen.tap(...(await phone.middleOf('Filters')))
  const filters = page.getByRole('dialog', { name: 'Filters' })
  await filters.getByText('Free only').click()
  await filters.evaluate((dialog) => Object.assign(window, { dialog }))
  await phone.arrive()
  await expect(page).toHaveURL(/idle=/)
  await expect(filters.getByRole('checkbox', { name: 'Idling only' })).toBeChecked()
  expect(await filters.evaluate((dialog) => dialog === (window as { dialog?: Element }).dialog)).toBe(true)
  await filters.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused()
})

test('keeps filters closed that were closed before the app loaded', async ({ page, market }) => {
  const phone = await paintedList(page, market.url)
  await page.touchscreen.tap(...(await phone.middleOf('Filters')))
  const filters = page.getByRole('dialog', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Close' }).click()
  await expect(filters).toBeHidden()
  await phone.arrive()
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(filters.getByRole('checkbox', { name: 'Idling only' })).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(filters).toBeHidden()
})

test('opens the purchase on a tap on Buy before the app has loaded, without another page load', async ({ page, market }) => {
  const provider = await startTestProvider(market, 'vega', 1)
  const phone = await paintedList(page, market.url, 'Buy vega-1', /\/assets\/(?!early-).*\.js$/)
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  const buy = page.getByRole('link', { name: /^Buy / }).first()
  const purchase = page.waitForRequest(/\/assets\/AddOrder-/)
  await buy.tap()
  await expect(buy).toHaveAttribute('aria-busy', 'true')
  // Beside the app, not after it: on a slow line each file is waited for.
  await purchase
  await phone.arrive()
  await expect(page).toHaveURL(/\/addorder\?provider=/)
  expect(await page.evaluate(() => (window as { isSame?: boolean }).isSame)).toBe(true)
  provider.stop()
})

test('selects what a mouse pressed before hydration is released on', async ({ page, market }) => {
  const phone = await painted(page, market.url)
  await page.mouse.move(...(await phone.middleOf('Open menu')))
  await page.mouse.down()
  await phone.arrive()
  await expect(menu(page)).toBeHidden()
  await page.mouse.up()
  await expect(menu(page)).toBeVisible()
})

for (const how of ['Enter', 'the button'] as const)
  test(`searches with ${how} for what is typed before the app has loaded`, { tag: '@long' }, async ({ page, market }) => {
    const phone = await painted(page, market.url)
    const [x, y] = await phone.middleOf(/^(Find|See)/)
    await page.locator('input[type=search]').focus()
    await page.keyboard.type('RTX 4090, 64 GB')
    if (how === 'Enter') await page.keyboard.press('Enter')
    else await page.touchscreen.tap(x, y)
    await phone.arrive()
    await expect(page).toHaveURL(/\/nodelist\?text=RTX\+4090%2C\+64\+GB/)
  })

test('keeps the field while typing through hydration', async ({ page, market }) => {
  const phone = await painted(page, market.url)
  await page.locator('input[type=search]').focus()
  await page.keyboard.type('RTX ')
  await phone.arrive()
  const field = page.getByRole('searchbox', { name: 'What you are looking for' })
  await expect(field).toBeFocused()
  await page.keyboard.type('4090')
  await expect(field).toHaveValue('RTX 4090')
})
