import type { Page } from '@playwright/test'
import { expect, test } from './buyerTest.ts'

const live = (page: Page) => page.getByRole('banner').getByRole('status')

test('says that live updates are away, and comes back to them', async ({ page, market }) => {
  await page.route('**/v1/events', (route) => route.abort())
  await page.goto(`${market.url}/nothing-here`)
  await expect(live(page)).toHaveText(/Live updates are away/)
  await page.unroute('**/v1/events')
  await expect(live(page)).toHaveAttribute('title', 'Live')
})

test('what happens between the first read of a page and its stream is shown', { tag: '@long' }, async ({
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

test('six pages in the background leave the browser’s connections to the seventh, and follow again once looked at', async ({
  page,
  market,
}) => {
  const others: Page[] = []
  while (others.length < 6) {
    const other = await page.context().newPage()
    others.push(other)
    await other.goto(`${market.url}/status`)
    await expect(live(other)).toHaveAttribute('title', 'Live')
    await other.evaluate(show, false)
  }
  await page.goto(`${market.url}/status`)
  await expect(live(page)).toHaveAttribute('title', 'Live')

  const [again] = others as [Page]
  const opened = again.waitForRequest('**/v1/events')
  // Nobody has touched it: what is read again is the page itself.
  const read = again.waitForResponse(`${market.url}/status`)
  await again.evaluate(show, true)
  await Promise.all([opened, read])
})

/** As if the person had come to this tab or gone to another: a browser under test calls all of its tabs visible. */
function show(visible: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: !visible })
  document.dispatchEvent(new Event('visibilitychange'))
}
