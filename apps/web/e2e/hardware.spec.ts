import type { Page } from '@playwright/test'
import type { HardwareAnswer } from '@rackfair/hardware/record'
import type { NodeSearchAnswer } from '@rackfair/protocol/nodes'
import type { ProviderWire } from '@rackfair/protocol/providers'
import type { VerificationWire } from '@rackfair/protocol/verification'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { startTestProvider } from './TestProvider.ts'
import { test as base, expect } from './test.ts'

type Provider = Awaited<ReturnType<typeof startTestProvider>>

const test = base.extend<object, { helios: Provider }>({
  helios: [
    async ({ market }, use) => {
      const provider = await startTestProvider(market, 'helios', 2)
      await use(provider)
      provider.stop()
    },
    { scope: 'worker', timeout: 180_000 },
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
  helios,
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

test('marks verified machines in the list, and filters by them', async ({ page, market, helios }) => {
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
