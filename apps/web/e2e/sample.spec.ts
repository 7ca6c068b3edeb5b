import { createApi } from '@rackfair/sdk'
import { startMarket } from '@rackfair/testkit'
import { whyNoAgent } from './agentTest.ts'
import { ALL_WIDTHS, takePicture, WIDE_AND_PHONE } from './takePicture.ts'
import { test as base, choose, connect, expect, openConnect } from './test.ts'

const SAMPLES = 9

/** The result of `npm start -- --sample`: this machine's own two nodes, and nine with pretended hardware. */
const test = base.extend({
  market: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use) => {
      const market = await startMarket({ agent: true, sample: true })
      await use(market)
      await market.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
})

test.skip(whyNoAgent !== undefined, whyNoAgent)

test('fills the rack and the list with samples, each of them marked', { tag: '@long' }, async ({ page, market, wallet }) => {
  test.setTimeout(400_000)
  const api = createApi({ baseUrl: market.url })
  const online = async () => (await api.rack()).slots.filter(({ sample, state }) => sample && state === 'idle').length
  await expect.poll(online, { timeout: 240_000 }).toBe(SAMPLES)

  await test.step('the home page', async () => {
    await page.goto(market.url)
    await expect(page.getByRole('button', { name: `See ${SAMPLES + 2} free machines` })).toBeVisible()
    await expect(page.getByRole('figure').filter({ hasText: `Sample ${SAMPLES}` })).toBeVisible()
    await takePicture(page, '0-home', ALL_WIDTHS)
  })

  await test.step('the list', async () => {
    await page.goto(`${market.url}/nodelist`)
    await openConnect(page)
    await expect(page.getByRole('dialog').getByRole('button', { name: wallet.name })).toBeVisible()
    await takePicture(page, '1-connect', ALL_WIDTHS)
    await connect(page, wallet)
    await expect(page.getByRole('link', { name: /^Buy / })).toHaveCount(SAMPLES + 2)
    await expect(page.getByRole('row').filter({ hasText: 'Sample' })).toHaveCount(SAMPLES)
    await takePicture(page, '2-nodes', ALL_WIDTHS)
  })

  await test.step('a search among them', async () => {
    await page.goto(`${market.url}/nodelist`)
    await page.getByRole('searchbox').fill('2x rtx 4090 under $400')
    await expect(page.getByRole('link', { name: /^Buy / })).toHaveCount(2)
    await expect(page.getByRole('row').filter({ hasText: /dune-\d.*Sample/s })).toHaveCount(2)
  })

  await test.step('a comparison of three machines', async () => {
    await page.goto(`${market.url}/nodelist`)
    for (const name of ['dune-1', 'aurora-1', 'cobalt-1']) await choose(page.getByRole('checkbox', { name: `Compare ${name}` }))
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await expect(page.getByRole('dialog').getByRole('columnheader')).toHaveCount(3)
    await takePicture(page, '19-compare', WIDE_AND_PHONE)
  })

  await test.step('a search without a match', async () => {
    await page.goto(`${market.url}/nodelist?text=16x+h100+blorp+under+%2440`)
    await expect(page.getByRole('region', { name: 'Nearest matches' }).getByRole('listitem').first()).toBeVisible()
    await takePicture(page, '20-no-match', WIDE_AND_PHONE)
  })

  await test.step('the other public pages', async () => {
    await page.goto(`${market.url}/status`)
    await page.mouse.move(9, 9)
    await expect(page.getByRole('row').filter({ hasText: 'Sample' })).toHaveCount(SAMPLES)
    await takePicture(page, '21-status', WIDE_AND_PHONE)
    const provider = (await api.nodes({ text: 'dune-1' })).items[0]?.cp
    await page.goto(`${market.url}/providerdetail?address=${provider}`)
    await expect(page.getByRole('heading', { level: 1, name: 'dune' })).toBeVisible()
    await takePicture(page, '22-provider', WIDE_AND_PHONE)
    await page.goto(`${market.url}/alerts`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await takePicture(page, '23-alerts', WIDE_AND_PHONE)
    await page.goto(`${market.url}/nowhere`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await takePicture(page, '24-missing', WIDE_AND_PHONE)
  })

  await test.step('the filters on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 780 })
    await page.goto(`${market.url}/nodelist`)
    await page.getByRole('button', { name: 'Filters' }).click()
    await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible()
    await takePicture(page, '25-filters', [360])
  })
})
