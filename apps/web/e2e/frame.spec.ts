import { isAccessibleInEveryLook } from './isAccessible.ts'
import { expect, test } from './test.ts'

test.beforeEach(({ page }) => page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1')))

test('refuses an invalid newsletter address and stores a valid one', async ({ page, market }) => {
  await page.goto(`${market.url}/status`)
  await page.mouse.wheel(0, 5000)
  const field = page.getByRole('textbox', { name: 'Email address' })
  const subscribe = page.getByRole('button', { name: 'Subscribe' })
  await field.fill('ada@')
  await subscribe.click()
  await expect(page.getByText('This does not look like an email address.')).toBeVisible()
  await page.route('**/v1/newsletter', (route) => route.abort())
  await field.fill('ada@example.com')
  await subscribe.click()
  await expect(page.getByText('The address could not be stored.')).toBeVisible()
  await page.unroute('**/v1/newsletter')
  await field.press('Enter')
  await expect(page.getByText('Thank you.')).toBeFocused()
})

test('switches language and theme in place, and remembers them', async ({ page, market }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`${market.url}/nothing-here`)
  await expect(page).toHaveTitle('Page not found · Rackfair')
  await page.getByRole('button', { name: 'Language: switch to 中文' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('找不到页面')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh')
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  const theme = page.getByRole('button', { name: /^主题/ })
  await theme.click()
  await theme.click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  expect(await ground()).not.toBe(light)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('找不到页面')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await theme.click()
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
  expect(await ground()).toBe(light)
})

test('greets in the language of the browser, and remembers another choice', async ({ browser, market }) => {
  const context = await browser.newContext({ locale: 'zh-CN' })
  const page = await context.newPage()
  const drawn = await (await page.goto(`${market.url}/status`))?.text()
  expect(drawn, 'by the platform').toContain('data-ahead="zh"')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('状态')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh')
  await page.getByRole('button', { name: '语言：切换到 English' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Status')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Status')
  await context.close()
})

test('leaves the page unchanged when a language fails to load, and loads it on the next try', async ({ page, market }) => {
  const messages = page.waitForResponse(/\/assets\/Toaster-[^/]*\.js$/)
  await page.goto(`${market.url}/status`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Status')
  await page.mouse.move(9, 9)
  await messages
  await page.route('**/assets/*.zh-*.js', (route) => route.abort())
  const language = page.getByRole('button', { name: 'Language: switch to 中文' })
  await language.click()
  await expect(page.getByText('The Chinese texts could not be loaded')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Status')
  await page.unroute('**/assets/*.zh-*.js')
  await language.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('状态')
})

test('shows a page that starts in Chinese in English when its texts fail to load', async ({ page, market }) => {
  await page.addInitScript(() => localStorage.setItem('rackfair.locale', 'zh'))
  await page.route('**/assets/*.zh-*.js', (route) => route.abort())
  await page.goto(`${market.url}/status`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Status')
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('searchbox', { name: 'What you are looking for' })).toBeVisible()
})

test('reloads a page once when its stylesheet fails to load', async ({ page, market }) => {
  let asked = 0
  await page.route('**/assets/*.css', (route) => (asked++ === 0 ? route.abort('connectionreset') : route.continue()))
  await page.goto(`${market.url}/nothing-here`)
  await expect(page.getByRole('main')).toHaveCSS('font-family', /Instrument Sans/)
  expect(asked).toBeGreaterThan(1)
})

test('omits a part that fails to load, and continues', async ({ page, market }) => {
  await page.route(/assets\/(Newsletter|Toaster|StepPart)-[^/]*\.js$/, (route) => route.abort())
  let lost = 0
  page.on('requestfailed', (request) => {
    if (/\/Newsletter-/.test(request.url())) lost += 1
  })
  await page.goto(market.url)
  await page.mouse.move(9, 9)
  await page.getByRole('heading', { name: 'How it works' }).scrollIntoViewIfNeeded()
  await expect.poll(() => lost).toBeGreaterThanOrEqual(2)
  await expect(page.getByRole('contentinfo')).toContainText('Version')
  await expect(page.getByRole('textbox', { name: 'Email address' })).toHaveCount(0)
  await expect(page.getByRole('searchbox', { name: 'What you are looking for' })).toBeVisible()
})

test('reports a screen that fails to load, and navigates away by the menu', async ({ page, market }) => {
  await page.goto(`${market.url}/status`)
  await page.route('**/assets/NodeList-*.js', (route) => route.abort())
  await page.evaluate(() => history.pushState(null, '', '/nodelist'))
  await expect(page.getByRole('heading', { level: 1, name: 'This page stopped working' })).toBeVisible()
  await expect(page.getByText('Part of this page could not be loaded')).toBeVisible()
  await isAccessibleInEveryLook(page)
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('searchbox', { name: 'What you are looking for' })).toBeVisible()
  await page.unroute('**/assets/NodeList-*.js')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: /^(Machines|\d+ machines?)$/ })).toBeVisible()
})

test('opens the guides from Docs and the footer in both languages', async ({ page, market, context }) => {
  await page.goto(`${market.url}/nothing-here`)
  const opened = context.waitForEvent('page')
  await page.getByRole('banner').getByRole('link', { name: 'Docs' }).click()
  const docs = await opened
  await expect(docs).toHaveURL(`${market.url}/docs/`)
  await expect(docs.getByRole('heading', { level: 1 })).toBeVisible()
  await docs.close()
  await expect(page).toHaveURL(`${market.url}/nothing-here`)
  for (const name of ['Guides', '指南']) {
    const links = page.getByRole('navigation', { name }).getByRole('link')
    await expect(links).toHaveCount(5)
    for (const link of await links.all()) {
      const answer = await page.request.get(market.url + (await link.getAttribute('href')))
      expect([answer.status(), /<h1/.test(await answer.text())]).toEqual([200, true])
    }
    await page.getByRole('button', { name: /^(Language|语言)/ }).click()
  }
})

test('leads on from the not-found page', async ({ page, market }) => {
  await page.goto(`${market.url}/no/such/page`)
  await isAccessibleInEveryLook(page)
  await page.getByRole('link', { name: 'See the machines' }).click()
  await expect(page).toHaveURL(`${market.url}/nodelist`)
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Rent' })).toHaveAttribute(
    'aria-current',
    'page',
  )
})

test('shows the design page in development only', async ({ page, market }) => {
  await page.goto(`${market.url}/design`)
  await expect(page).toHaveTitle('Page not found · Rackfair')
})

test('restores the scroll position on Back and Forward, and starts at the top on a link', async ({ page, market }) => {
  await page.setViewportSize({ width: 360, height: 500 })
  const top = () => page.evaluate(() => Math.round(window.scrollY))
  await page.goto(market.url)
  const prices = page.getByRole('heading', { name: 'What it costs here' })
  await prices.evaluate((heading) => heading.scrollIntoView())
  const left = await top()
  expect(left).toBeGreaterThan(500)
  // A rack with room has a link of the same name above.
  await page
    .getByRole('link', { name: 'Become a provider' })
    .last()
    .evaluate((link: HTMLElement) => link.click())
  await expect(page).toHaveURL(`${market.url}/addprovider`)
  await expect.poll(top).toBe(0)
  await page.goBack()
  await expect(prices).toBeInViewport()
  await expect.poll(top).toBe(left)
  await page.goForward()
  await expect(page).toHaveURL(`${market.url}/addprovider`)
  await expect.poll(top).toBe(0)
})

test('keeps the page on signing in, even on the first visit', async ({ page, market, wallet }) => {
  await page.addInitScript(() => sessionStorage.removeItem('rackfair.asked'))
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(market.url)
    await page
      .getByRole('main')
      .getByRole('button', { name: /machine/ })
      .click()
    await expect(page).toHaveURL(/\/nodelist/)
    const dialog = page.getByRole('dialog')
    await page
      .getByRole('region', { name: 'Connect Wallet' })
      .getByRole('button', { name: /^Connect/ })
      .click()
    await dialog.getByRole('button', { name: wallet.name }).click()
    await dialog.getByRole('button', { name: 'Sign the message' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect(page.getByRole('banner')).toBeInViewport({ ratio: 1 })
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Account/ })
      .click()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
  }
})

test('offers to skip to the content on the first key press', async ({ page, market }) => {
  await page.goto(`${market.url}/nothing-here`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Go to the home page' })).toBeFocused()
})

test('opens the menu on a phone, navigates and closes it', async ({ page, market }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(market.url)
  const menu = page.getByRole('navigation', { name: 'Main menu' }).filter({ visible: true })
  await expect(menu).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(menu).toBeVisible()
  await isAccessibleInEveryLook(page, { widths: [360] })
  const toggle = page.getByRole('button', { name: 'Open menu' })
  await menu.getByRole('link', { name: 'Rent' }).focus()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(toggle).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(menu).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await toggle.click()
  await menu.getByRole('link', { name: 'Network' }).click()
  await expect(page).toHaveURL(`${market.url}/status`)
  await expect(menu).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
