import { isAccessibleInEveryLook } from './isAccessible.ts'
import { startTestProvider } from './TestProvider.ts'
import { test as base, expect } from './test.ts'

type Provider = Awaited<ReturnType<typeof startTestProvider>>

const MACHINE = { cores: 400, memoryGb: 4000, diskGb: 90_000, gpus: 8 }
const NONE = { ownImages: null, ports: false, ssh: false, protected: false, runtimes: ['runc' as const], ready: [] }
const ALL = {
  ...{ ownImages: { maxGb: 40 }, ports: true, ssh: true, protected: true, ready: ['nginx'] },
  runtimes: ['runc' as const, 'runsc' as const],
}

/** Three providers: one that takes everything, one that takes only public images, and one that has not said. */
const test = base.extend<object, { sellers: { open: Provider; strict: Provider; silent: Provider } }>({
  sellers: [
    async ({ market }, use) => {
      const open = await startTestProvider(market, 'open', 1, { ...MACHINE, takes: ALL })
      const strict = await startTestProvider(market, 'strict', 1, { ...MACHINE, takes: NONE })
      const silent = await startTestProvider(market, 'silent', 1)
      await use({ open, strict, silent })
      for (const one of [open, strict, silent]) one.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

test.beforeEach(async ({ page }) => page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1')))

test('filters the list by what providers take', async ({ page, market, sellers: _ }) => {
  await page.goto(`${market.url}/nodelist`)
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  for (const name of ['open-1', 'strict-1', 'silent-1']) await expect(row(name)).toBeVisible()
  await page.getByRole('button', { name: 'Filters' }).filter({ visible: true }).click()
  const filters = page.getByRole('group', { name: 'Takes' })
  await filters.getByText('Own images').click()
  await expect(page).toHaveURL(/takes=own_images/)
  await expect(row('open-1')).toBeVisible()
  await expect(row('strict-1')).toBeHidden()
  await expect(row('silent-1')).toBeHidden()
  await isAccessibleInEveryLook(page)
  await page.getByRole('button', { name: 'Remove the filter Own images' }).click()
  await expect(row('strict-1')).toBeVisible()
  await filters.getByText('gVisor').click()
  await expect(row('open-1')).toBeVisible()
  await expect(row('strict-1')).toBeHidden()
})

test('shows on the purchase and the provider’s page what cannot run, before payment', async ({
  page,
  market,
  sellers: { open, strict, silent },
}) => {
  await page.goto(`${market.url}/addorder?provider=${strict.address}&node=1`)
  const takes = page.getByRole('region', { name: 'What it takes' })
  await expect(takes).toContainText('none, only applications of the catalogue')
  const runs = page.getByRole('list', { name: 'What it can run' })
  await expect(runs.getByRole('listitem').filter({ hasText: 'Your own application' })).toContainText(
    'takes only applications of the catalogue',
  )
  await expect(runs).toContainText('this provider cannot keep it from others')
  await expect(takes).toContainText('their images are not there')
  await expect(runs.getByRole('listitem').filter({ hasText: 'nginx' })).toContainText('one to three minutes the first time')
  await isAccessibleInEveryLook(page)
  await page.goto(`${market.url}/providerdetail?address=${open.address}`)
  await expect(takes).toContainText('up to 40 GB, any registry')
  await expect(takes).toContainText('runc and gVisor, on request')
  await expect(takes).toContainText('Ready at once')
  await isAccessibleInEveryLook(page)
  await page.goto(`${market.url}/providerdetail?address=${silent.address}`)
  await expect(page.getByRole('heading', { name: 'silent', exact: true })).toBeVisible()
  await expect(takes).toBeHidden()
})

test('shows it on a phone, in Chinese too', async ({ page, market, sellers: { strict } }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.addInitScript(() => localStorage.setItem('rackfair.locale', 'zh'))
  await page.goto(`${market.url}/addorder?provider=${strict.address}&node=1`)
  await expect(page.getByRole('region', { name: '支持的功能' })).toContainText('仅限目录中的应用')
  await isAccessibleInEveryLook(page)
})
