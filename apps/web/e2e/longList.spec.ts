import type { Page } from '@playwright/test'
import { addNodeCall } from '@rackfair/sdk'
import { parseEther } from 'viem'
import { startTestProvider } from './TestProvider.ts'
import { test as base, expect } from './test.ts'

type Provider = Awaited<ReturnType<typeof startTestProvider>>

/** More than one page of the API (200), so that the list has to fetch more. */
const MACHINES = 230

const test = base.extend<object, { atlas: Provider }>({
  atlas: [
    async ({ market }, use) => {
      const provider = await startTestProvider(market, 'atlas', MACHINES)
      await use(provider)
      provider.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

test.beforeEach(async ({ page, atlas }) => {
  expect(atlas.address).toMatch(/^0x/)
  // A font that arrives late is used from the next page on, and may wrap a line above the list differently.
  await page.route(/\.woff2$/, (route) => route.abort())
  await page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
})

const LISTS = [
  { name: 'table', width: 1280, rows: 'tr[data-row]', last: (count: number) => `tr[aria-rowindex="${count + 1}"]` },
  { name: 'cards', width: 360, rows: '[role=listitem][data-row]', last: (count: number) => `[aria-posinset="${count}"]` },
] as const

for (const { name, width, rows, last } of LISTS) {
  test.describe(name, { tag: name === 'cards' ? '@long' : [] }, () => {
    test.use({ viewport: { width, height: 740 } })

    test('renders only rows near the window, to the end and back', async ({ page, market }) => {
      await page.goto(`${market.url}/nodelist?sort=name`)
      await page.locator(rows).first().waitFor()
      expect(await page.locator(rows).count()).toBeLessThan(70)
      // 29 blocks of eight rows; a distant block is one element for all eight.
      await expect.poll(() => page.locator('[data-block]').count()).toBeLessThan(20)
      const total = await machines(page)
      await expect(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        // On a phone, the network totals are below it.
        await page.locator(last(total)).scrollIntoViewIfNeeded({ timeout: 500 })
        await expect(page.locator(last(total))).toBeInViewport({ timeout: 500 })
      }).toPass()
      await expect.poll(() => page.locator(rows).count()).toBeLessThan(70)
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
      expect(await page.locator(rows).count()).toBe(total)
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
      await expect.poll(() => page.locator(rows).count()).toBeLessThan(70)
      const first = page.locator(last(1))
      await expect(first).toHaveCount(0)
      for (let step = 0; step < 400 && (await page.evaluate(() => window.scrollY)) > 0; step += 1) {
        await page.mouse.wheel(0, -1200)
        await expect(page.locator(rows).first()).toBeVisible()
      }
      await expect(first).toBeInViewport()
    })

    for (const from of ['Back', 'a reload'] as const)
      test(`keeps the scroll position over ${from}`, async ({ page, market }) => {
        await page.goto(`${market.url}/nodelist?sort=name`)
        await page.locator(rows).nth(6).waitFor()
        await page.mouse.wheel(0, 5200)
        // Blocks that are measured for the first time above the window move the position, but not what is read.
        await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(4000)
        await page.locator(rows).nth(6).waitFor()
        const read = await topmost(page, rows)
        if (from === 'Back') {
          await page
            .locator(`${rows}[data-row="${read.row}"]`)
            .getByRole('link', { name: /^Detail/ })
            .evaluate(click)
          await expect(page.getByRole('heading', { level: 1, name: 'atlas' })).toBeVisible()
          await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
          await page.goBack()
        } else await page.reload()
        const again = page.locator(`${rows}[data-row="${read.row}"]`)
        await expect(again).toBeInViewport({ ratio: 0.01 })
        await expect.poll(async () => Math.round(((await again.boundingBox())?.y ?? 0) - read.top)).toBe(0)
      })

    test('reports a failed page, stops requesting, and continues on demand', async ({ page, market }) => {
      let asked = 0
      const next = (url: URL) => url.pathname === '/v1/nodes' && url.searchParams.has('cursor')
      await page.route(next, (route) => {
        asked += 1
        return route.fulfill({ status: 400, json: { code: 'bad_request', message: 'no' } })
      })
      await page.goto(`${market.url}/nodelist?sort=name`)
      await page.locator(rows).first().waitFor()
      const failed = page.getByText('The rest of the list could not be read.')
      await expect(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        await expect(failed).toBeVisible({ timeout: 500 })
      }).toPass()
      const before = asked
      await page.waitForTimeout(2000)
      expect(asked).toBe(before)
      await page.unroute(next)
      await page.getByRole('button', { name: 'Retry' }).click()
      await expect(failed).toBeHidden()
      const total = await machines(page)
      await expect(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        // On a phone, the network totals are below it.
        await page.locator(last(total)).scrollIntoViewIfNeeded({ timeout: 500 })
        await expect(page.locator(last(total))).toBeInViewport({ timeout: 500 })
      }).toPass()
    })

    test('keeps the visible machine in place when others are inserted above', async ({ page, market, atlas }) => {
      await page.goto(`${market.url}/nodelist?sort=price`)
      await page.locator(rows).nth(6).waitFor()
      await page.mouse.wheel(0, 900)
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(900)
      const read = await topmost(page, rows)
      const { blockNumber } = await atlas.send(addNodeCall(atlas.addresses, { ...atlas.node, pGPU: parseEther('1') }))
      expect(blockNumber).toBeGreaterThan(0n)
      const show = page.getByRole('button', { name: 'Show them' })
      await show.waitFor()
      const before = await machines(page)
      await show.evaluate((button: HTMLButtonElement) => button.click())
      await expect(page.locator(`${rows}[data-row="${read.row}"]`)).toBeVisible()
      await expect(show).toBeHidden()
      expect(await machines(page)).toBe(before)
      const after = await page.locator(`${rows}[data-row="${read.row}"]`).boundingBox()
      expect(after?.y).toBeCloseTo(read.top, 0)
    })
  })
}

/** Number of matches, as shown on the page. */
async function machines(page: Page): Promise<number> {
  const text = await page
    .getByRole('status')
    .filter({ hasText: /^[\d,]+ machines/ })
    .textContent()
  return Number.parseInt((text ?? '').replaceAll(',', ''), 10)
}

/** The first row in the window, once the rows there are drawn and have come to rest. */
async function topmost(page: Page, rows: string): Promise<{ row: string; top: number }> {
  let seen: { row: string; top: number } | undefined
  const isAtRest = async () => {
    const before = seen
    seen = await page.locator(rows).evaluateAll((elements) => {
      const places = elements.map((row) => ({ row: (row as HTMLElement).dataset.row ?? '', box: row.getBoundingClientRect() }))
      const first = places.find(({ box }) => box.bottom > 0 && box.top < window.innerHeight)
      return first && { row: first.row, top: first.box.top }
    })
    return seen !== undefined && seen.row === before?.row && seen.top === before.top
  }
  await expect.poll(isAtRest).toBe(true)
  return seen as unknown as { row: string; top: number }
}

/** Even if something covers it. */
function click(link: Element): void {
  ;(link as HTMLElement).click()
}
