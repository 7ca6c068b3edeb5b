import type { Page } from '@playwright/test'
import { expect, test } from './publicTest.ts'

/** What may be fetched before anybody has touched the page. */
const SMALL = /\/(boot|assets\/early-[^/]+)\.js$/
const AHEAD = '#app[data-ahead]'
const live = (page: Page) => page.locator(`${AHEAD}[data-live]`)

test.use({ sold: [1n] })

test.beforeEach(async ({ page, market }) => {
  // A busy machine gives the page of the build at first.
  for (const path of ['/', '/status', '/nodelist'])
    await expect.poll(async () => (await page.request.get(market.url + path)).text()).toContain('drawn-from')
  // A line that is paid by use: then nothing is fetched before somebody needs it.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    Object.assign(window, { problems: [] })
    addEventListener('error', ({ message }) => (window as unknown as { problems: string[] }).problems.push(message))
  })
})

/** Opens a page without touching it, and gives the scripts that it has asked for since. */
async function open(page: Page, url: string): Promise<string[]> {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script' || request.url().endsWith('.js')) scripts.push(new URL(request.url()).pathname)
  })
  await page.evaluate((to) => location.assign(to), url).catch(() => undefined)
  await live(page).waitFor()
  return scripts
}

const problems = (page: Page) => page.evaluate(() => (window as unknown as { problems: string[] }).problems)

test('what happens on the market is shown on a page that nobody touches, without the app', async ({ page, market, helios }) => {
  const scripts = await open(page, `${market.url}/nodelist`)
  const row = page.getByRole('row').filter({ hasText: 'helios-3' })
  await expect(row).toContainText('Idling')
  await expect(page.getByRole('banner').getByRole('status')).toHaveAttribute('title', 'Live')
  await row.evaluate((element) => Object.assign(window, { row: element }))
  await helios.sellToOther(3n)
  await expect(row).toContainText('Running')
  expect(await row.evaluate((element) => element === (window as unknown as { row?: Element }).row)).toBe(true)
  expect(scripts.filter((path) => !SMALL.test(path))).toEqual([])

  await page.getByRole('link', { name: 'Buy helios-2' }).focus()
  await page.locator(AHEAD).waitFor({ state: 'detached' })
  await expect(page.getByRole('link', { name: 'Buy helios-2' })).toBeFocused()
  await expect(row).toContainText('Running')
  expect(await row.evaluate((element) => element === (window as unknown as { row?: Element }).row)).toBe(true)
  expect(await problems(page)).toEqual([])
})
