import { recordShifts } from './recordShifts.ts'
import { slowLine } from './slowLine.ts'
import { expect, test, touch } from './test.ts'

test.beforeEach(({ page }) => page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1')))

test('renders public pages before any script runs, and other pages empty', async ({ browser, market }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const [path, title, heading] of [
    ['/', 'Rackfair', /\w/],
    ['/status', 'Status · Rackfair', 'Status'],
    ['/nodelist', 'Machines · Rackfair', /\d+ machines?/],
  ] as const) {
    await page.goto(market.url + path)
    await expect(page).toHaveTitle(title)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  }
  await page.goto(`${market.url}/myspace`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0)
  await context.close()
})

for (const path of ['/', '/status', '/nodelist'])
  for (const width of [1280, 412])
    test(`${path} shifts nothing while it arrives in pieces at ${width}`, { tag: '@long' }, async ({ browser, market }) => {
      const line = await slowLine(market.url)
      const page = await browser.newPage({ viewport: { width, height: 823 } })
      const shifts = await recordShifts(page)
      await page.goto(line.url + path)
      await touch(page)
      expect(await shifts()).toEqual([])
      await page.close()
      await line.close()
    })

test('removes nothing visible for a late Chinese text, and shows no English', async ({ page, market }) => {
  await page.addInitScript(() => {
    localStorage.setItem('rackfair.locale', 'zh')
    const seen = { drawn: false, gone: 0, english: 0 }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      // The browser paints nothing before the stylesheet has arrived.
      if (document.styleSheets.length === 0) return
      const header = document.querySelector('header')
      const shown = header?.checkVisibility({ visibilityProperty: true }) ?? false
      if (seen.drawn && !shown) seen.gone += 1
      if (shown && header?.textContent.includes('Network')) seen.english += 1
      seen.drawn ||= shown
    }).observe(document, { childList: true, subtree: true, attributes: true })
  })
  await page.route('**/assets/*.zh-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })
  // The footer's links need a string that nothing else on the page uses, and arrive with the settings.
  await page.route('**/v1/config', async (route) => {
    const answer = await route.fetch()
    const settings = {
      ...(await answer.json()),
      contact: 'hello@example.com',
      social: [{ name: 'Forum', url: 'https://forum.example' }],
    }
    await route.fulfill({ response: answer, json: settings })
  })
  await page.goto(market.url)
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Forum' })).toHaveAttribute(
    'href',
    'https://forum.example',
  )
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'hello@example.com' })).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: '连接钱包' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByRole('link', { name: '网络' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('状态')
  expect(await page.evaluate('seen')).toEqual({ drawn: true, gone: 0, english: 0 })
})

test('reports a wallet dialog whose code fails to load, and opens it on the next try', async ({ page, market }) => {
  await page.goto(`${market.url}/status`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  let away = true
  let lost = 0
  const arrives = Promise.withResolvers<void>()
  await page.route('**/assets/session-*.js', (route) => {
    if (!away) return arrives.promise.then(() => route.continue())
    lost += 1
    return route.abort()
  })
  const connect = page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })
  await connect.click()
  await expect(page.getByText('The wallet dialog could not be loaded')).toBeVisible()
  // Twice for the click, and twice for the first interaction.
  await expect.poll(() => lost).toBeGreaterThanOrEqual(4)
  away = false
  await connect.click()
  await expect(page.getByText('Opening your wallet')).toBeVisible()
  arrives.resolve()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByText('Opening your wallet')).toBeHidden()
})

test('completes the page after a while without any interaction', { tag: '@long' }, async ({ page, market }) => {
  await page.goto(`${market.url}/status`)
  await expect(page.getByRole('textbox', { name: 'Email address' })).toHaveCount(1, { timeout: 60_000 })
  const asked = await page.evaluate(
    () => performance.getEntriesByType('resource').find((entry) => /\/Newsletter-[^/]+\.js$/.test(entry.name))?.startTime,
  )
  expect(asked).toBeGreaterThanOrEqual(10_000)
})
