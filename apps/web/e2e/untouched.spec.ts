import type { Locator, Page } from '@playwright/test'
import { addNodeCall } from '@rackfair/sdk'
import { expect, test } from './publicTest.ts'
import { show } from './show.ts'

/** What may be fetched before the first interaction. */
const SMALL = /\/(boot|assets\/early-[^/]+)\.js$/
const AHEAD = '#app[data-ahead]'
const live = (page: Page) => page.locator(`${AHEAD}[data-live]`)

/** The file sells and lists nodes: no file may come after it on the same market. */
test.use({ sold: 2n })

test.beforeEach(async ({ page }) => {
  // On a metered connection, nothing is prefetched.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } })
    Object.assign(window, { problems: [] })
    addEventListener('error', ({ message }) => (window as unknown as Marks).problems.push(message))
  })
})

interface Marks {
  problems: string[]
  row?: Element
}

/** Waits until the platform has rendered a page: on a busy machine, the prerendered page of the build comes first. */
async function drawn(page: Page, url: string): Promise<void> {
  await expect.poll(async () => (await page.request.get(url)).text()).toContain('drawn-from')
}

/** Opens a rendered page without interacting, and returns the scripts requested since. */
async function open(page: Page, url: string): Promise<string[]> {
  await drawn(page, url)
  const scripts: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js') && !SMALL.test(pathname)) scripts.push(pathname)
  })
  await page.evaluate((to) => location.assign(to), url).catch(() => undefined)
  await live(page).waitFor()
  return scripts
}

const taken = (page: Page) => page.locator(AHEAD).waitFor({ state: 'detached' })
const problems = (page: Page) => page.evaluate(() => (window as unknown as Marks).problems)
const machine = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const mark = (row: Locator) => row.evaluate((element) => Object.assign(window, { row: element }) && undefined)
const isMarked = (row: Locator) => row.evaluate((element) => element === (window as unknown as Marks).row)

test('shows market changes on an untouched page, without the app', async ({ page, market, helios }) => {
  const scripts = await open(page, `${market.url}/nodelist`)
  const row = machine(page, 'helios-3')
  await expect(row).toContainText('Idling')
  await expect(page.getByRole('banner').getByRole('status')).toHaveAttribute('title', 'Live')
  await mark(row)
  await helios.sellToOther(3n)
  await expect(row).toContainText('Running')
  await expect(page.getByRole('link', { name: 'Buy helios-3' })).toHaveCount(0)
  expect(await isMarked(row)).toBe(true)
  // In the background it follows nothing, and catches up once it is looked at.
  await page.evaluate(show, false)
  await helios.send(addNodeCall(helios.addresses, helios.node))
  await expect.poll(async () => (await page.request.get(`${market.url}/nodelist`)).text()).toContain('helios-5')
  await expect(page.getByText(/^helios-5$/)).toHaveCount(0)
  await page.evaluate(show, true)
  await expect(page.getByText(/^helios-5$/).first()).toBeAttached()
  expect(scripts).toEqual([])

  // The first key press loads the app, which hydrates the page as it is.
  await page.getByRole('link', { name: 'Buy helios-1' }).focus()
  await taken(page)
  await expect(page.getByRole('link', { name: 'Buy helios-1' })).toBeFocused()
  await expect(row).toContainText('Running')
  expect(await isMarked(row)).toBe(true)
  expect(await problems(page)).toEqual([])
})

for (const [path, locale, timezoneId, width] of [
  ['/', 'zh', 'Asia/Shanghai', 360],
  ['/status', 'en', 'America/New_York', 1440],
  ['/nodelist', 'zh', 'Europe/Berlin', 1280],
] as const)
  test(`hydrates ${path} in ${locale} at ${width} without changes after an update`, { tag: '@long' }, async ({
    browser,
    market,
    helios,
  }) => {
    const context = await browser.newContext({ timezoneId, viewport: { width, height: 740 } })
    await context.addCookies([{ name: 'rackfair.locale', value: locale, url: market.url }])
    const page = await context.newPage()
    await page.addInitScript((chosen) => {
      sessionStorage.setItem('rackfair.asked', '1')
      localStorage.setItem('rackfair.locale', chosen)
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
      Object.assign(window, { problems: [] })
      addEventListener('error', ({ message }) => (window as unknown as Marks).problems.push(message))
      addEventListener('securitypolicyviolation', (found) => (window as unknown as Marks).problems.push(found.violatedDirective))
    }, locale)
    await open(page, market.url + path)
    const heading = page.getByRole('heading', { level: 1 })
    await mark(heading)
    const answers = page.locator('#drawn-from')
    const before = (await answers.textContent()) ?? ''
    await helios.send(addNodeCall(helios.addresses, helios.node))
    await expect(answers).not.toHaveText(before, { useInnerText: false })
    await page.keyboard.press('Shift')
    await taken(page)
    await page.waitForLoadState('networkidle')
    expect(await isMarked(heading)).toBe(true)
    expect(await problems(page)).toEqual([])
    await context.close()
  })

test('keeps a tap right after an update of the page', async ({ page, market, helios }) => {
  const scripts = await open(page, market.url)
  const changed = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const watcher = new MutationObserver(() => {
          watcher.disconnect()
          const connect = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Connect Wallet')
          connect?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
          connect?.click()
          resolve()
        })
        const all = { subtree: true, childList: true, characterData: true, attributes: true }
        watcher.observe(document.querySelector('main') as Element, all)
      }),
  )
  expect(scripts).toEqual([])
  await helios.sellToOther(4n)
  await changed
  await expect(page.getByRole('dialog').getByRole('list', { name: 'Popular' })).toBeVisible()
  expect(await problems(page)).toEqual([])
})

test('applies the first choice once the app has loaded', async ({ page, market }) => {
  await open(page, market.url)
  await page.getByText('CPUs', { exact: true }).click()
  await taken(page)
  await expect(page.getByRole('radio', { name: 'CPUs' })).toBeChecked()
  await expect(page.getByRole('table', { name: 'Prices of common models on this network' })).toContainText('EPYC 7402')

  await page.setViewportSize({ width: 800, height: 740 })
  await open(page, `${market.url}/nodelist`)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Sort' }).selectOption({ index: 2 })
  await taken(page)
  await expect(page).toHaveURL(/sort=/)
  expect(await problems(page)).toEqual([])
})

test('leads from a tap on the rack to the machine under it', async ({ browser, market }) => {
  const context = await browser.newContext({ hasTouch: true })
  const page = await context.newPage()
  await open(page, market.url)
  await page.getByRole('slider', { name: /One slot for each of/ }).tap({ position: { x: 40, y: 40 } })
  await expect(page).toHaveURL(/nodelist\?text=(helios|kiln)-\d$/)
  await context.close()
})

test('runs the clock of the status page before the app has loaded', async ({ page, market }) => {
  const scripts = await open(page, `${market.url}/status`)
  const clock = page.locator('time[data-clock]')
  await expect(clock).toBeVisible()
  const first = (await clock.textContent()) ?? ''
  expect(first).toMatch(/^\d\d:\d\d:\d\d$/)
  await expect(clock).not.toHaveText(first)
  expect(scripts).toEqual([])
})

test('loads the code before the first interaction, and runs it then', async ({ page, market }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: {} }))
  const scripts = await open(page, market.url)
  await expect.poll(() => scripts.some((path) => path.includes('/index-'))).toBe(true)
  // It does not delay visible content. The browser notes a paint, and what was fetched, a moment later.
  const times = await page.waitForFunction(() => {
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    const fetched = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ initiatorType, name }) => initiatorType === 'fetch' && name.endsWith('.js'))
      .map(({ startTime }) => startTime)
    return painted !== undefined && fetched.length > 0 ? { painted, fetched: Math.min(...fetched) } : undefined
  })
  const { painted, fetched } = (await times.jsonValue()) as { painted: number; fetched: number }
  expect(painted).toBeLessThanOrEqual(fetched)
  await expect(live(page)).toBeAttached()
  await page.keyboard.press('Tab')
  await taken(page)
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  expect(await problems(page)).toEqual([])
})

test('retries a script that fails to load, and then does what was pressed', async ({ page, market }) => {
  let lost = 0
  await page.route('**/assets/index-*.js', (route) => (lost++ < 1 ? route.abort() : route.continue()))
  await open(page, market.url)
  await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click()
  await expect(page.getByRole('dialog').getByRole('list', { name: 'Popular' })).toBeVisible()
  expect(lost).toBeGreaterThan(1)
})

test('reopens a lost stream, and loads the app to report a lasting outage', { tag: '@long' }, async ({ page, market }) => {
  let isAway = false
  await page.route('**/v1/events', (route) => (isAway ? route.abort() : route.continue()))
  const scripts = await open(page, market.url)
  await page.evaluate(show, true)
  await expect(live(page)).toBeAttached()
  expect(scripts).toEqual([])
  isAway = true
  await page.evaluate(show, true)
  await taken(page)
  await expect(page.getByRole('banner').getByRole('status')).toHaveText(/Live updates are unavailable/)
  isAway = false
  await expect(page.getByRole('banner').getByRole('status')).toHaveAttribute('title', 'Live')
})

for (const [what, key, value] of [
  ['a wallet', 'rackfair.wallet', 'development'],
  ['a theme', 'rackfair.theme', 'dark'],
  ['another language', 'rackfair.locale', 'zh'],
] as const)
  test(`loads the app at once in a browser that knows ${what}`, async ({ page, market }) => {
    await page.addInitScript(([name, kept]) => localStorage.setItem(name, kept), [key, value] as const)
    await drawn(page, market.url)
    await page.evaluate((to) => location.assign(to), market.url).catch(() => undefined)
    await page.locator('#app:not([data-ahead])').waitFor()
  })
