import type { Page } from '@playwright/test'
import type { HardwareAnswer } from '@rackfair/hardware/record'
import type { NodeSearchAnswer } from '@rackfair/protocol/nodes'
import type { ProviderWire } from '@rackfair/protocol/providers'
import type { VerificationWire } from '@rackfair/protocol/verification'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { startTestProvider } from './TestProvider.ts'
import { test as base, expect } from './test.ts'

type Provider = Awaited<ReturnType<typeof startTestProvider>>
type Name = 'helios' | 'atlas' | 'honest' | 'play' | 'open' | 'strict' | 'silent'

const MACHINE = { cores: 400, memoryGb: 4000, diskGb: 90_000, gpus: 8 }
const NONE = { ownImages: null, ports: false, ssh: false, protected: false, runtimes: ['runc' as const], ready: [] }
const ALL = {
  ...{ ownImages: { maxGb: 40 }, ports: true, ssh: true, protected: true, ready: ['nginx'] },
  runtimes: ['runc' as const, 'runsc' as const],
}

/**
 * One market for all that a buyer can learn of a provider's hardware before payment. `helios` has two machines, those of `atlas` exceed its
 * hardware, `play` only pretends it, `open` takes everything, `strict` only public images; `honest` and `silent` have said nothing.
 */
const test = base.extend<object, { sellers: Record<Name, Provider> }>({
  sellers: [
    async ({ market }, use) => {
      const sellers = {
        helios: await startTestProvider(market, 'helios', 2),
        atlas: await startTestProvider(market, 'atlas', 3, { cores: 400, memoryGb: 31, diskGb: 90_000, gpus: 2 }),
        honest: await startTestProvider(market, 'honest', 1),
        play: await startTestProvider(market, 'play', 1, { ...MACHINE, sample: true }),
        open: await startTestProvider(market, 'open', 1, { ...MACHINE, takes: ALL }),
        strict: await startTestProvider(market, 'strict', 1, { ...MACHINE, takes: NONE }),
        silent: await startTestProvider(market, 'silent', 1),
      }
      await use(sellers)
      for (const one of Object.values(sellers)) one.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

test.beforeEach(async ({ page }) => page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1')))

/** 57.6 GiB in whole bytes, as the platform reports them. */
const MEMORY_BYTES = Math.floor(57.6 * 2 ** 30)

/** Monitors test once a day, so their results for the first machine are stubbed. */
async function answerHardware(page: Page, provider: string): Promise<void> {
  const time = Math.floor(Date.now() / 1000) - 9 * 3600
  const verification: VerificationWire = {
    ...{ outcome: 'passed', hardwareClass: 2, verified: true, time, agreed: 2, needed: 2 },
    ...{ memoryBytes: MEMORY_BYTES, cores: 32, gpus: 0 },
  }
  const results = ['1', '2', '3'].map((digit): HardwareAnswer['results'][number] => ({
    ...{ monitor: `0x${digit.repeat(40)}`, provider, nodeId: '1', rev: 1, orderId: '0', beacon: `0x${'be'.repeat(32)}` },
    ...{
      hardwareClass: 2,
      outcome: digit === '3' ? 'late' : 'passed',
      memoryBytes: MEMORY_BYTES,
      diskBytes: Math.floor(7.2 * 2 ** 30),
    },
    ...{ cores: 32, gpus: 0, makingMs: 41_200, limitMs: 85_300, memoryWalkMs: 212, diskWalkMs: 1_310, time },
    ...{ signature: `0x${'00'.repeat(65)}`, counts: true },
  }))
  const answer: HardwareAnswer = { verification, results, block: 1 }
  await page.route(`**/v1/nodes/${provider}/1/hardware*`, (route) => route.fulfill({ json: answer }))
  await page.route(new RegExp(`/v1/cp/${provider}(\\?|$)`), async (route) => {
    const wire = (await (await route.fetch()).json()) as ProviderWire
    const nodes = wire.nodes.map((node) => (node.id === 1 ? { ...node, verification } : node))
    await route.fulfill({ json: { ...wire, nodes } })
  })
  await page.route(/\/v1\/nodes\?/, async (route) => {
    const wire = (await (await route.fetch()).json()) as NodeSearchAnswer
    const items = wire.items.map((node) => (node.id === 1 ? { ...node, verification } : node))
    await route.fulfill({ json: { ...wire, items } })
  })
}

test('shows verified hardware before payment and on the provider’s page, with each monitor’s measurements', async ({
  page,
  market,
  sellers: { helios },
}) => {
  await answerHardware(page, helios.address)
  await page.goto(`${market.url}/addorder?provider=${helios.address}&node=1`)
  await page.getByText('Why', { exact: true }).click()
  const card = page.getByRole('region', { name: 'Verified hardware' })
  await expect(card).toContainText('Verified 9 hr. ago')
  await expect(card).toContainText('57.6 GB')
  await expect(card.getByText('Too late')).toBeHidden()
  await card.getByText('Report').press('Enter')
  await expect(card.getByText('Too late')).toBeVisible()
  await expect(card).toContainText('GPUs are not measured')
  await isAccessibleInEveryLook(page)
  await page.getByRole('link', { name: 'Provider detail' }).click()
  await card.getByText('helios-1').click()
  await expect(card).toContainText('computed in 41.2 sec of at most 85.3 sec')
  await isAccessibleInEveryLook(page)
  await card.getByText('helios-2').click()
  await expect(card).toContainText('No monitor has published a result')
})

test('marks verified machines in the list, and filters by them', async ({ page, market, sellers: { helios } }) => {
  await answerHardware(page, helios.address)
  await page.goto(`${market.url}/nodelist`)
  await page.getByRole('button', { name: 'Filters' }).filter({ visible: true }).click()
  const filters = page.getByRole('group', { name: 'State' })
  await filters.getByText('Free only').click()
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('helios-1')).toContainText('Hardware verified 9 hr. ago, class 2')
  await expect(row('helios-2')).toBeVisible()
  await expect(row('helios-2')).not.toContainText('Hardware verified')
  await isAccessibleInEveryLook(page)
  await page.getByRole('checkbox', { name: /^Verified hardware/ }).click()
  await expect(page).toHaveURL(/verified=true/)
  // The platform itself knows no monitor here.
  await expect(page.getByText('No machine matches')).toBeVisible()
  await page.getByRole('button', { name: 'Remove the filter Verified hardware' }).click()
  await expect(row('helios-2')).toBeVisible()
})

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

test('spells the mark of an overselling provider out on a phone, in Chinese too', async ({
  page,
  market,
  sellers: { atlas },
}) => {
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

test('shows what a provider takes on a phone, in Chinese too', async ({ page, market, sellers: { strict } }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.addInitScript(() => localStorage.setItem('rackfair.locale', 'zh'))
  await page.goto(`${market.url}/addorder?provider=${strict.address}&node=1`)
  await expect(page.getByRole('region', { name: '支持的功能' })).toContainText('仅限目录中的应用')
  await isAccessibleInEveryLook(page)
})
