import type { BrowserContextOptions, Page } from '@playwright/test'
import { expect, test } from './publicTest.ts'
import { touch } from './test.ts'

/** One machine in the list is sold, so that its row differs. */
test.use({ sold: 2n })

const PAGES = ['/', '/status', '/nodelist'] as const
const LOOKS: readonly (BrowserContextOptions & { locale: 'en' | 'zh'; width: number })[] = [
  { locale: 'en', width: 1440, timezoneId: 'America/New_York', colorScheme: 'light' },
  { locale: 'zh', width: 1280, timezoneId: 'Asia/Shanghai', colorScheme: 'dark' },
  { locale: 'en', width: 360, timezoneId: 'Asia/Kolkata', colorScheme: 'dark' },
  { locale: 'zh', width: 360, timezoneId: 'Europe/Berlin', colorScheme: 'light' },
]
const APP_GONE = '#app[data-ahead]'

/** Retries until the platform has rendered the page: on a busy machine, the prerendered page of the build comes first. */
async function drawn(page: Page, url: string, locale = 'en') {
  await expect
    .poll(async () => (await page.request.get(url, { headers: { cookie: `rackfair.locale=${locale}` } })).text())
    .toContain('drawn-from')
}

for (const { locale, width, ...look } of LOOKS)
  for (const path of PAGES)
    test(`hydrates ${path} in ${locale} at ${width} without changes in ${look.timezoneId}`, { tag: '@long' }, async ({
      browser,
      market,
    }) => {
      const context = await browser.newContext({ ...look, viewport: { width, height: 800 } })
      await context.addCookies([{ name: 'rackfair.locale', value: locale, url: market.url }])
      const page = await context.newPage()
      await drawn(page, market.url + path, locale)
      await page.addInitScript((chosen) => {
        sessionStorage.setItem('rackfair.asked', '1')
        localStorage.setItem('rackfair.locale', chosen)
        addEventListener('DOMContentLoaded', () => Object.assign(window, { painted: document.querySelector('h1') }))
      }, locale)
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(market.url + path)
      await touch(page)
      // Waits for live data to be shown, so that every part is hydrated.
      await page.waitForLoadState('networkidle').catch(() => undefined)
      expect(await page.evaluate(() => document.querySelector('h1') === (window as { painted?: Element | null }).painted)).toBe(
        true,
      )
      expect(problems).toEqual([])
      await context.close()
    })

test('renders machines with Buy before any script runs', async ({ browser, market }) => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 360, height: 740 },
  ]) {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport })
    const page = await context.newPage()
    await drawn(page, `${market.url}/nodelist`)
    await page.goto(`${market.url}/nodelist`)
    await expect(page.getByRole('link', { name: 'Buy helios-1' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Buy helios-2' })).toHaveCount(0)
    await drawn(page, market.url)
    await page.goto(market.url)
    await expect(page.getByText('6 / 2')).toBeVisible()
    await context.close()
  }
})

test('searches for what is typed before the app has loaded, and keeps the focus', async ({ page, market }) => {
  await drawn(page, `${market.url}/nodelist`)
  const program = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', (route) => program.promise.then(() => route.continue()))
  await page.evaluate((to) => location.assign(to), `${market.url}/nodelist`).catch(() => undefined)
  const field = page.getByRole('searchbox')
  await field.pressSequentially('kiln')
  program.resolve()
  await page.locator(APP_GONE).waitFor({ state: 'detached' })
  await expect(field).toBeFocused()
  await expect(page).toHaveURL(/\?text=kiln$/)
  await expect(page.getByRole('row').filter({ hasText: /helios|kiln/ })).toHaveCount(2)
})
