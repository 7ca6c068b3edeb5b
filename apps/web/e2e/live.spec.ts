import type { Page } from '@playwright/test'
import { expect, test } from './buyerTest.ts'
import { show } from './show.ts'

const live = (page: Page) => page.getByRole('banner').getByRole('status')

test('reports lost live updates, and resumes them', async ({ page, market }) => {
  await page.route('**/v1/events', (route) => route.abort())
  await page.goto(`${market.url}/nothing-here`)
  await expect(live(page)).toHaveText(/Live updates are unavailable/)
  await page.unroute('**/v1/events')
  await expect(live(page)).toHaveAttribute('title', 'Live')
})

test('shows changes between the first read of a page and its stream', { tag: '@long' }, async ({
  page,
  market,
  provider,
  api,
  node,
}) => {
  const go = Promise.withResolvers<void>()
  await page.route('**/v1/events', (route) => go.promise.then(() => route.continue()))
  await page.goto(`${market.url}/status?text=helios-${node}`)
  const row = page.getByRole('row').filter({ has: page.getByText(`helios-${node}`, { exact: true }) })
  await expect(row).toContainText('Idling')
  await provider.sellToOther(BigInt(node))
  await expect.poll(async () => (await api.node(provider.address, node)).sold).toBe(true)
  await expect(row).toContainText('Idling')
  go.resolve()
  await expect(row).toContainText('Running')
})

test('frees the browser’s connections of six background pages for a seventh, and resumes them when visible', async ({
  page,
  market,
  provider,
  node,
}) => {
  const url = `${market.url}/status?text=helios-${node}`
  const row = (of: Page) => of.getByRole('row').filter({ has: of.getByText(`helios-${node}`, { exact: true }) })
  const others: Page[] = []
  while (others.length < 6) {
    const other = await page.context().newPage()
    // Any page of the app holds a connection; only one of them has to show the market.
    await other.goto(others.length === 0 ? url : `${market.url}/nothing-here`)
    others.push(other)
    await expect(live(other)).toHaveAttribute('title', 'Live')
    if (other === others[0]) await expect(row(other)).toContainText('Idling')
    await other.evaluate(show, false)
  }
  await page.goto(url)
  await expect(live(page)).toHaveAttribute('title', 'Live')
  await provider.sellToOther(BigInt(node))
  await expect(row(page)).toContainText('Running')

  const [again] = others as [Page]
  await expect(row(again)).toContainText('Idling')
  await again.evaluate(show, true)
  await expect(row(again)).toContainText('Running')
})
