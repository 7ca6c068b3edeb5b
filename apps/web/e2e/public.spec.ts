import type { Page } from '@playwright/test'
import { contractCall } from '@rackfair/sdk'
import type { RunningMarket } from '@rackfair/testkit'
import { parseEther } from 'viem'
import { isAccessible, isAccessibleInEveryLook } from './isAccessible.ts'
import { recordShifts } from './recordShifts.ts'
import { retryUntilGone } from './retryUntilGone.ts'
import { startTestProvider } from './TestProvider.ts'
import { test as base, expect } from './test.ts'

type Provider = Awaited<ReturnType<typeof startTestProvider>>

const test = base.extend<object, { helios: Provider; kiln: Provider }>({
  helios: [
    async ({ market }, use) => {
      const provider = await startTestProvider(market, 'helios', 4)
      await use(provider)
      provider.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  kiln: [
    async ({ market, helios }, use) => {
      const provider = await startTestProvider(market, 'kiln', 2)
      const node = { ...helios.node, gpuModel: 'RTX 3090', pGPU: parseEther('233'), nMEM: 128 }
      await provider.send(contractCall(provider.addresses, 'registry', 'updatenode', [2n, node]))
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

/** The first sign of a person: what lies below the window is loaded now. */
const comes = (page: Page) => page.mouse.move(9, 9)
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const machines = (page: Page) => page.getByRole('row').filter({ hasText: /helios|kiln/ })

test.describe('home', () => {
  test('counts the idle machines for what is typed and leads to them', async ({ page, market }) => {
    await page.goto(market.url)
    await expect(page.getByRole('button', { name: 'Find 6 idle machines' })).toBeVisible()
    await page.getByRole('searchbox', { name: 'What you are looking for' }).fill('RTX 3090, 128 GB, under $300')
    await page.getByRole('button', { name: 'Find 1 idle machine' }).click()
    await expect(page).toHaveURL(/\/nodelist\?minMemory=128&maxPrice=300&text=RTX\+3090&idle=true&online=true$/)
    await expect(machines(page)).toHaveCount(1)
    await expect(row(page, 'kiln-2')).toContainText('RTX 3090 × 1')
  })

  test('goes through the rack by keyboard and shows a machine in the list', async ({ page, market }) => {
    await page.goto(market.url)
    const rack = page.getByRole('slider', { name: /One slot for each of 6 machines: 6 idling, 0 running, 0 offline/ })
    await rack.focus()
    await page.keyboard.press('Home')
    const first = (await rack.getAttribute('aria-valuetext')) ?? ''
    expect(first).toMatch(/^(helios|kiln)-1, Idling, 1 × RTX 4090 · 4 CPU · 64 GB, \$158\.00 a month$/)
    await page.keyboard.press('ArrowRight')
    await expect(rack).toHaveAttribute('aria-valuetext', /-2, Idling/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/nodelist\\?text=${first.split(',')[0]}$`))
  })

  test('shows the machine that a finger taps in the rack', async ({ browser, market }) => {
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
    await expect(table.getByRole('row', { name: /^RTX 4080/ })).toContainText('not offered now')
    await page.getByRole('radio', { name: 'CPUs' }).check({ force: true })
    await expect(table.getByRole('row', { name: /^EPYC 7402/ })).toContainText('$2.00')
    await table.getByRole('link', { name: 'EPYC 7402' }).click()
    await expect(page).toHaveURL(/\/nodelist\?cpu=EPYC\+7402$/)
  })

  test('shows sample figures only while the platform is away, and says so', async ({ page, market }) => {
    await page.goto(market.url)
    await expect(page.getByText('sample figures')).toHaveCount(0)
    await page.route('**/v1/**', (route) => route.abort())
    await page.reload()
    await expect(page.getByText('sample figures').first()).toBeVisible()
    await expect(page.getByText('300 / 200')).toBeVisible()
    await page.goto(`${market.url}/status`)
    await comes(page)
    await expect(page.getByText('sample figures', { exact: true })).toBeVisible()
    await expect(page.getByText('The machines could not be read')).toBeVisible()
    await page.unroute('**/v1/**')
    await retryUntilGone(page, page.getByText('The machines could not be read'))
    await expect(machines(page)).toHaveCount(6)
  })
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
    await expect(page.getByText(/Read again no later than/)).toBeVisible()
    const clock = page.getByRole('main').getByRole('time').or(page.locator('main time')).first()
    const at = Date.parse((await clock.getAttribute('datetime')) ?? '')
    expect(Math.abs(at - Date.now() - 300_000)).toBeLessThan(5000)
    await expect(clock).not.toHaveAttribute('datetime', new Date(at).toISOString())
    await expect(machines(page)).toHaveCount(6)
    await expect(page.getByRole('link', { name: /^Buy/ })).toHaveCount(0)
  })

  test('keeps every row in its place while a machine is sold', async ({ page, market, helios }) => {
    await page.goto(`${market.url}/status?sort=name`)
    await comes(page)
    const sold = row(page, 'helios-4')
    await expect(sold).toContainText('Idling')
    const before = await sold.boundingBox()
    await helios.sellToOther(4n)
    await expect(sold).toContainText('Running')
    expect(await sold.boundingBox()).toEqual(before)
    await page.getByRole('switch', { name: 'Idling only' }).check()
    await expect(page).toHaveURL(/idle=true/)
    await expect(machines(page)).toHaveCount(5)
  })
})

test.describe('node list', () => {
  test('keeps its filters in the address', async ({ page, market }) => {
    await page.goto(`${market.url}/nodelist`)
    await expect(machines(page)).toHaveCount(6)
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Status' })).toHaveAttribute('aria-current', 'page')
    await page.getByRole('checkbox', { name: 'RTX 4090' }).check()
    await expect(machines(page)).toHaveCount(5)
    await page.getByRole('searchbox').fill('kiln')
    await expect(machines(page)).toHaveCount(1)
    await expect(page).toHaveURL(/gpu=RTX\+4090/)
    await expect(page).toHaveURL(/text=kiln/)
    await page.reload()
    await expect(machines(page)).toHaveCount(1)
    await expect(page.getByRole('searchbox')).toHaveValue('kiln')
    await page.getByRole('button', { name: 'Remove the filter RTX 4090' }).click()
    await expect(machines(page)).toHaveCount(2)
    await page.getByRole('combobox', { name: 'Memory, at least' }).selectOption('128')
    await expect(machines(page)).toHaveCount(1)
    await page.getByRole('combobox', { name: 'Provider’s pledge, at least' }).selectOption('1000')
    await expect(page.getByRole('heading', { name: 'No machine matches' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear all' }).last().click()
    await expect(machines(page)).toHaveCount(6)
    await expect(page).toHaveURL(/\/nodelist$/)
  })

  test('narrows by price with the two thumbs, and sorts by any column', async ({ page, market }) => {
    await page.goto(`${market.url}/nodelist`)
    await expect(machines(page).first()).toContainText('$158.00')
    await page.getByRole('button', { name: 'Price / month' }).click()
    await expect(machines(page).first()).toContainText('kiln-2')
    await expect(page).toHaveURL(/sort=-price/)
    await page.getByRole('button', { name: 'Name' }).click()
    await expect(machines(page).first()).toContainText('helios-1')
    await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
    for (const column of ['CPU', 'GPU', 'Memory', 'Storage', 'Activate', 'State']) {
      await page.getByRole('columnheader').getByRole('button', { name: column }).click()
      await expect(page.getByRole('columnheader', { name: column })).toHaveAttribute('aria-sort', 'ascending')
      await expect(machines(page)).toHaveCount(6)
    }
    const lowest = page.getByRole('slider', { name: 'Lowest price' })
    await lowest.focus()
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(/minPrice=/)
    await expect(machines(page)).toHaveCount(1)
    await expect(row(page, 'kiln-2')).toBeVisible()
  })

  test('offers Buy only where it works and says why not elsewhere', async ({ page, market, helios }) => {
    if ((await (await fetch(`${market.url}/v1/nodes/${helios.address}/3`)).json()).sold === false) await helios.sellToOther(3n)
    await page.goto(`${market.url}/nodelist?text=helios&sort=name`)
    const reason = row(page, 'helios-3').getByRole('button', { name: 'Sold' })
    await expect(reason).toHaveAttribute('aria-disabled', 'true')
    await reason.focus()
    await expect(page.getByRole('tooltip').filter({ hasText: 'the order has not been started yet' })).toBeVisible()
    await row(page, 'helios-1').getByRole('link', { name: 'Buy helios-1' }).click()
    await expect(page).toHaveURL(`${market.url}/addorder?provider=${helios.address}&node=1`)
  })

  test('keeps the space that somebody types before the next word', async ({ page, market }) => {
    await page.goto(`${market.url}/nodelist`)
    const field = page.getByRole('searchbox', { name: 'Search machines by name, GPU or CPU' })
    await field.pressSequentially('rtx ')
    await expect(page).toHaveURL(/text=rtx$/)
    await field.pressSequentially('3090')
    await expect(page).toHaveURL(/text=rtx\+3090$/)
    await expect(machines(page)).toHaveCount(1)
  })

  test('shows a list for every link of a stranger', async ({ page, market }) => {
    for (const words of [
      'minPledge=0.5',
      'minPledge=999999999999.999999999',
      'minPrice=0.000000001&maxPrice=7',
      'gpu=%2525,%zz,A%252C',
    ])
      for (const width of [1280, 800]) {
        await page.setViewportSize({ width, height: 740 })
        await page.goto(`${market.url}/nodelist?${words}`)
        if (width < 1280) await page.getByRole('button', { name: /^Filters/ }).click()
        await expect(page.getByRole('group', { name: 'Provider’s pledge, at least' })).toBeVisible()
      }
  })

  test('is a list of cards with a sheet of filters on a phone', async ({ page, market }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${market.url}/nodelist?sort=name`)
    await expect(page.getByRole('article')).toHaveCount(6)
    await page.getByRole('button', { name: 'Filters' }).click()
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    await sheet.waitFor()
    await isAccessibleInEveryLook(page, [360])
    await sheet.getByRole('checkbox', { name: 'RTX 3090' }).check()
    await sheet.getByRole('button', { name: 'Show 1 machine' }).click()
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Filters · 1' })).toBeFocused()
  })
})

test.describe('provider detail', () => {
  test('shows what is registered, three figures per resource, the pledge and the machines', async ({ page, market, kiln }) => {
    await page.goto(`${market.url}/nodelist?text=kiln&sort=name`)
    await row(page, 'kiln-1')
      .getByRole('link', { name: /^Detail/ })
      .click()
    await expect(page).toHaveURL(`${market.url}/providerdetail?address=${kiln.address}`)
    await expect(page.getByRole('heading', { level: 1, name: 'kiln' })).toBeVisible()
    const registration = page.getByRole('region', { name: 'Registration' })
    await expect(registration).toContainText('127.0.0.1')
    await expect(registration).toContainText('7070')
    const capacity = page.getByRole('region', { name: 'Storage and memory' })
    await expect(capacity).toContainText('Total3 TBUsed0 TBFree3 TB')
    await expect(capacity).toContainText('Total192 GBUsed0 GBFree192 GB')
    await expect(page.getByRole('region', { name: 'Pledge' })).toContainText('$100.00')
    await expect(page.getByRole('region', { name: 'Orders' })).toContainText('No order has ended here yet.')
    await expect(page.getByRole('link', { name: /^Buy/ })).toHaveCount(2)
    await page.getByRole('button', { name: 'Go Back' }).click()
    await expect(page).toHaveURL(/\/nodelist\?text=kiln/)
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
    for (const colorScheme of ['light', 'dark'] as const)
      for (const locale of ['en', 'zh'] as const)
        test(`${path} in ${colorScheme} and ${locale}: no axe finding, nothing wider than a phone`, async ({
          page,
          market,
          helios,
        }) => {
          await page.emulateMedia({ colorScheme })
          await page.addInitScript((value) => localStorage.setItem('rackfair.locale', value), locale)
          await page.goto(urlOf(path, market, helios))
          await comes(page)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await page.waitForLoadState('networkidle').catch(() => undefined)
          await expect(page.locator('[aria-busy=true], .animate-pulse')).toHaveCount(0)
          await isAccessible(page)
          await page.setViewportSize({ width: 360, height: 740 })
          await expect(page.locator('.animate-pulse')).toHaveCount(0)
          await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
          await isAccessible(page)
        })

  test('is no wider than a phone either when its fonts do not arrive', async ({ page, market, helios }) => {
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
      test(`${path} moves nothing while it loads at ${width}`, async ({ page, market }) => {
        await page.setViewportSize({ width, height: 823 })
        const shifts = await recordShifts(page)
        await page.goto(market.url + path)
        await comes(page)
        await expect(page.getByText(/RTX 4090/).first()).toBeAttached()
        await page.waitForTimeout(1500)
        expect(await shifts()).toEqual([])
      })
})
