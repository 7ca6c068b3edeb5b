import type { RunningMarket } from '@rackfair/testkit'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { comes, expect, machines, type Provider, row, test } from './publicTest.ts'
import { recordShifts } from './recordShifts.ts'
import { retryUntilGone } from './retryUntilGone.ts'
import { choose } from './test.ts'

test.describe('home', () => {
  test('counts the idle machines that match the typed text, and links to them', async ({ page, market }) => {
    await page.goto(market.url)
    await expect(page.getByRole('button', { name: 'See 6 free machines' })).toBeVisible()
    await page.getByRole('searchbox', { name: 'What you are looking for' }).fill('rtx 3090 128gb under $300')
    await page.getByRole('button', { name: 'See 1 free machine' }).click()
    await expect(page).toHaveURL(/\/nodelist\?text=rtx\+3090\+128gb\+under\+%24300&idle=true&online=true$/)
    await expect(machines(page)).toHaveCount(1)
    await expect(row(page, 'kiln-2')).toContainText('1 × RTX 3090')
    await expect(page.getByRole('searchbox')).toHaveValue('rtx 3090 128gb under $300')
    for (const chip of ['RTX 3090', '128 GB+ memory', 'up to $300', 'Free only', 'Online only'])
      await expect(page.getByRole('button', { name: `Remove the filter ${chip}` })).toBeVisible()
    await page.getByRole('button', { name: 'Remove the filter RTX 3090' }).click()
    await expect(page).toHaveURL(/\/nodelist\?minMemory=128&maxPrice=300&idle=true&online=true$/)
    await expect(page.getByRole('searchbox')).toHaveValue('')
  })

  test('navigates the rack by keyboard and opens a machine in the list', async ({ page, market }) => {
    await page.goto(market.url)
    const rack = page.getByRole('slider', { name: /One slot for each of 6 machines: 6 idling, 0 running, 0 offline/ })
    await rack.focus()
    await page.keyboard.press('Home')
    const first = (await rack.getAttribute('aria-valuetext')) ?? ''
    expect(first).toMatch(/^(helios|kiln)-1, Free, 1 × RTX 4090 · 4 CPU · 64 GB, \$158\.00 a month$/)
    await page.keyboard.press('ArrowRight')
    await expect(rack).toHaveAttribute('aria-valuetext', /-2, Free/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/nodelist\\?text=${first.split(',')[0]}$`))
  })

  test('opens the machine that is tapped in the rack', async ({ browser, market }) => {
    const context = await browser.newContext({ hasTouch: true })
    const page = await context.newPage()
    await page.goto(market.url)
    await page.getByRole('slider', { name: /One slot for each of 6 machines/ }).tap({ position: { x: 40, y: 40 } })
    await expect(page).toHaveURL(/nodelist\?text=(helios|kiln)-\d$/)
    await context.close()
  })

  test('compares live prices with list prices', async ({ page, market }) => {
    await page.goto(market.url)
    const table = page.getByRole('table', { name: 'Prices of common models on this network' })
    await expect(table.getByRole('row', { name: /^RTX 4090/ })).toContainText('$133.00')
    await expect(table.getByRole('row', { name: /^RTX 3090/ })).toContainText('$233.00')
    await expect(table.getByRole('row')).toHaveCount(1 + (await table.getByRole('link').count()))
    await expect(page.getByText(/^Not offered here yet/)).toContainText('RTX 4080 $139')
    await choose(page.getByRole('radio', { name: 'CPUs' }), { force: true })
    await expect(table.getByRole('row', { name: /^EPYC 7402/ })).toContainText('$2.00')
    await table.getByRole('link', { name: 'EPYC 7402' }).click()
    await expect(page).toHaveURL(/\/nodelist\?cpu=EPYC\+7402$/)
  })

  test('shows sample figures only while the platform is unreachable, and says so', async ({ page, market }) => {
    await page.goto(market.url)
    await expect(page.getByText('sample figures')).toHaveCount(0)
    await page.route('**/v1/**', (route) => route.abort())
    // With a query string it is the prerendered page of the build, without figures.
    await page.goto(`${market.url}/?from=mail`)
    await expect(page.getByText('sample figures').first()).toBeVisible()
    await expect(page.getByText('300 / 200')).toBeVisible()
    await page.goto(`${market.url}/status?from=mail`)
    await comes(page)
    await expect(page.getByText('sample figures', { exact: true })).toBeVisible()
    await expect(page.getByText('The machines could not be read')).toBeVisible()
    await page.unroute('**/v1/**')
    await retryUntilGone(page, page.getByText('The machines could not be read'))
    await expect(machines(page)).toHaveCount(6)
  })
})

for (const [zoom, width] of [
  [200, 640],
  [400, 320],
] as const)
  test(`truncates no ring and no figure at ${zoom} % zoom`, async ({ page, market }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${market.url}/nodelist`)
    const rings = page.getByRole('list', { name: 'The network' })
    await expect(rings).toContainText('idle')
    const cut = await rings.evaluate((list) => {
      const box = list.getBoundingClientRect()
      const inside = [...list.querySelectorAll('svg, span')].map((part) => part.getBoundingClientRect())
      return inside.filter(({ left, right }) => left < box.left || right > Math.min(box.right, window.innerWidth)).length
    })
    expect(cut).toBe(0)
  })

test.describe('status', () => {
  test('shows used and idle, the clock five minutes ahead, and machines without Buy', async ({ page, market }) => {
    await page.goto(`${market.url}/status`)
    await comes(page)
    const network = page.getByRole('region', { name: 'The network' })
    await expect(network).toContainText('Providers2')
    await expect(network).toContainText('Machines6')
    await expect(network).toContainText('Idle6')
    await expect(page.getByText('6 machines listed by 2 providers.')).toBeVisible()
    await expect(page.getByText(/Next update by/)).toBeVisible()
    const clock = page.getByRole('main').getByRole('time').or(page.locator('main time')).first()
    const ahead = () => clock.evaluate((element: HTMLTimeElement) => Date.parse(element.dateTime) - Date.now())
    await expect.poll(async () => Math.abs((await ahead()) - 300_000)).toBeLessThan(5000)
    const at = (await clock.getAttribute('datetime')) ?? ''
    await expect(clock).not.toHaveAttribute('datetime', at)
    await expect(machines(page)).toHaveCount(6)
    await expect(page.getByRole('link', { name: /^Buy/ })).toHaveCount(0)
  })

  test('keeps every row in place while a machine is sold', async ({ page, market, helios }) => {
    await page.goto(`${market.url}/status?sort=name`)
    await comes(page)
    const sold = row(page, 'helios-4')
    await expect(sold).toContainText('Idling')
    const before = await sold.boundingBox()
    await helios.sellToOther(4n)
    await expect(sold).toContainText('Running')
    expect(await sold.boundingBox()).toEqual(before)
    await choose(page.getByRole('switch', { name: 'Idling only' }))
    await expect(page).toHaveURL(/idle=true/)
    await expect(machines(page)).toHaveCount(5)
  })
})

test.describe('provider detail', () => {
  test('shows what is registered, three figures per resource, the pledge and the machines', async ({ page, market, kiln }) => {
    await page.goto(`${market.url}/nodelist?text=kiln&sort=name`)
    await row(page, 'kiln-1')
      .getByRole('link', { name: /^Detail/ })
      .click()
    await expect(page).toHaveURL(`${market.url}/machine?provider=${kiln.address}&node=1`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('kiln-1')
    await expect(page.getByText('Free', { exact: true })).toBeVisible()
    await expect(page.getByTestId('fee')).toHaveText(/^\$0\.21/)
    await choose(page.getByRole('radio', { name: 'months' }), { force: true })
    await expect(page.getByTestId('fee')).toHaveText('$158.00')
    await page.getByRole('button', { name: 'One month more' }).click()
    await expect(page.getByTestId('fee')).toHaveText('$316.00')
    await expect(page.getByRole('link', { name: 'Buy kiln-1' })).toHaveAttribute(
      'href',
      `/addorder?provider=${kiln.address}&node=1&for=2mo`,
    )
    await page.getByText('Why', { exact: true }).click()
    await expect(page.getByRole('region', { name: 'From kiln' })).toContainText('Pledge$100.00')
    await expect(page.getByRole('region', { name: 'RTX 4090 elsewhere' }).getByRole('listitem')).toHaveCount(3)
    await isAccessibleInEveryLook(page)
    await page.getByRole('link', { name: 'kiln', exact: true }).click()
    await expect(page).toHaveURL(`${market.url}/providerdetail?address=${kiln.address}`)
    await expect(page.getByRole('heading', { level: 1, name: 'kiln' })).toBeVisible()
    const registration = page.getByRole('region', { name: 'Registration' })
    await expect(registration).toContainText('127.0.0.1')
    await expect(registration).toContainText('7070')
    const capacity = page.getByRole('region', { name: 'Storage and memory' })
    await expect(capacity).toContainText('Total3 TBUsed0 TBFree3 TB')
    await expect(capacity).toContainText('Total192 GBUsed0 GBFree192 GB')
    await expect(capacity).toContainText('$6.00 per TB and month')
    await expect(capacity).toContainText('$0.125 per GB and month')
    const models = page.getByRole('region', { name: 'Processors and prices' })
    await expect(models.getByRole('row', { name: /EPYC 7402/ })).toContainText('$2.00')
    await expect(models.getByRole('row', { name: /RTX 4090/ })).toContainText('$133.00')
    await expect(page.getByRole('region', { name: 'Pledge' })).toContainText('$100.00')
    await expect(page.getByRole('region', { name: 'Orders' })).toContainText('No order has run to its end here yet.')
    await expect(page.getByRole('link', { name: /^Buy/ })).toHaveCount(2)
    await page.getByRole('button', { name: 'Go Back' }).click()
    await expect(page).toHaveURL(/\/machine\?/)
  })

  for (const address of ['0x1234', `0x${'9'.repeat(40)}`, ''])
    test(`leads on from the unknown address "${address}"`, async ({ page, market }) => {
      await page.goto(`${market.url}/providerdetail?address=${address}`)
      await expect(page.getByRole('heading', { name: 'There is no such provider' })).toBeVisible()
      await page.getByRole('link', { name: 'See all machines' }).click()
      await expect(machines(page).first()).toBeVisible()
    })
})

test.describe('every public screen', () => {
  const screens = ['/', '/status', '/nodelist', '/nodelist?text=nothing', 'provider', '/providerdetail?address=0x1']
  const urlOf = (path: string, market: RunningMarket, provider: Provider) =>
    market.url + (path === 'provider' ? `/providerdetail?address=${provider.address}` : path)

  for (const path of screens)
    test(`${path}: no axe violation in any look, not wider than a phone`, async ({ page, market, helios }) => {
      await page.goto(urlOf(path, market, helios))
      await comes(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle').catch(() => undefined)
      await expect(page.locator('[aria-busy=true], .animate-pulse')).toHaveCount(0)
      await isAccessibleInEveryLook(page)
    })

  test('is not wider than a phone without its fonts either', async ({ page, market, helios }) => {
    await page.route('**/*.woff2', (route) => route.abort())
    await page.setViewportSize({ width: 360, height: 740 })
    for (const path of screens) {
      await page.goto(urlOf(path, market, helios))
      await comes(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy=true], .animate-pulse')).toHaveCount(0)
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360])
    }
  })

  for (const path of ['/', '/status', '/nodelist'])
    for (const width of [1280, 412])
      test(`${path} shifts nothing while it loads at ${width}`, { tag: '@long' }, async ({ page, market }) => {
        await page.setViewportSize({ width, height: 823 })
        const shifts = await recordShifts(page)
        await page.goto(market.url + path)
        await comes(page)
        await expect(page.getByText(/RTX 4090/).first()).toBeAttached()
        await page.waitForTimeout(1500)
        expect(await shifts()).toEqual([])
      })
})
