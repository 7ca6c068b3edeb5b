import { isAccessibleInEveryLook } from './isAccessible.ts'
import { startTestProvider } from './TestProvider.ts'
import { test as base, expect } from './test.ts'

type Provider = Awaited<ReturnType<typeof startTestProvider>>

/** Three providers: one whose three nodes exceed its hardware, one that reported no hardware, and one that only pretends it. */
const test = base.extend<object, { sellers: { atlas: Provider; honest: Provider; play: Provider } }>({
  sellers: [
    async ({ market }, use) => {
      const atlas = await startTestProvider(market, 'atlas', 3, { cores: 400, memoryGb: 31, diskGb: 90_000, gpus: 2 })
      const honest = await startTestProvider(market, 'honest', 1)
      const pretended = { cores: 400, memoryGb: 4000, diskGb: 90_000, gpus: 8, sample: true } as const
      const play = await startTestProvider(market, 'play', 1, pretended)
      await use({ atlas, honest, play })
      play.stop()
      atlas.stop()
      honest.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

test.beforeEach(async ({ page }) => page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1')))

test('marks an overselling provider in the list, before payment and on its page', async ({
  page,
  market,
  sellers: { atlas, honest },
}) => {
  await page.goto(`${market.url}/nodelist`)
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('atlas-1')).toContainText('Oversold: memory and GPUs')
  await expect(row('honest-1')).toBeVisible()
  await expect(row('honest-1')).not.toContainText('Oversold')
  const title = 'This provider sells more than its computer has'
  await page.goto(`${market.url}/addorder?provider=${atlas.address}&node=1`)
  await expect(page.getByRole('status').filter({ hasText: title })).toContainText('offer more memory and GPUs than there is')
  await page.goto(`${market.url}/providerdetail?address=${atlas.address}`)
  await expect(page.getByRole('status').filter({ hasText: title })).toBeVisible()
  await isAccessibleInEveryLook(page)
  await page.goto(`${market.url}/providerdetail?address=${honest.address}`)
  await expect(page.getByRole('heading', { name: 'honest', exact: true })).toBeVisible()
  await expect(page.getByText(title)).toBeHidden()
})

test('spells the mark out on a phone, in Chinese too', async ({ page, market, sellers: { atlas } }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${market.url}/nodelist?text=atlas`)
  await expect(page.getByRole('article', { name: 'atlas-2' }).getByText('Oversold: memory and GPUs')).toBeVisible()
  await page.addInitScript(() => localStorage.setItem('rackfair.locale', 'zh'))
  await page.goto(`${market.url}/addorder?provider=${atlas.address}&node=1`)
  await expect(page.getByText('该供应商出售的资源超过其计算机实际拥有的')).toBeVisible()
})

test('marks sample hardware in the list, before payment, on its provider’s page and in the order', async ({
  page,
  market,
  sellers: { play, honest },
}) => {
  const said = 'Runs real containers on this computer; the hardware is only simulated.'
  await page.goto(`${market.url}/nodelist`)
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('play-1').getByText('Sample')).toHaveAttribute('title', said)
  await expect(row('honest-1')).toBeVisible()
  await expect(row('honest-1')).not.toContainText('Sample')
  await page.goto(`${market.url}/addorder?provider=${play.address}&node=1`)
  await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible()
  await page.goto(`${market.url}/providerdetail?address=${play.address}`)
  await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible()
  await isAccessibleInEveryLook(page)
  await page.goto(`${market.url}/addorder?provider=${honest.address}&node=1`)
  await expect(page.getByRole('heading', { name: 'honest-1', exact: true })).toBeVisible()
  await expect(page.getByText(said)).toBeHidden()

  const orderId = await play.sellToOther(1n)
  await page.goto(`${market.url}/orderinfo?id=${orderId}`)
  await expect(page.getByText(`Sample: ${said}`)).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.addInitScript(() => localStorage.setItem('rackfair.locale', 'zh'))
  await page.goto(`${market.url}/nodelist?text=play`)
  await expect(page.getByRole('article', { name: 'play-1' }).getByText('示例')).toBeVisible()
})
