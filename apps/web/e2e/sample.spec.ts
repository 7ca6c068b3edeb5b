import { createApi } from '@rackfair/sdk'
import { startMarket } from '@rackfair/testkit'
import { whyNoAgent } from './agentTest.ts'
import { takePicture } from './takePicture.ts'
import { test as base, connect, expect } from './test.ts'

const SAMPLES = 9

/** What `npm start -- --sample` brings up: this machine's own two nodes, and nine whose hardware is only pretended. */
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

test('a market with samples has a full rack and a list to choose from, every sample marked', async ({ page, market, wallet }) => {
  test.setTimeout(400_000)
  const api = createApi({ baseUrl: market.url })
  const online = async () => (await api.rack()).slots.filter(({ sample, state }) => sample && state === 'idle').length
  await expect.poll(online, { timeout: 240_000 }).toBe(SAMPLES)

  await test.step('the home page', async () => {
    await page.goto(market.url)
    await expect(page.getByRole('button', { name: `Find ${SAMPLES + 2} idle machines` })).toBeVisible()
    await expect(page.getByRole('figure').filter({ hasText: `Sample ${SAMPLES}` })).toBeVisible()
    await takePicture(page, '0-home')
  })

  await test.step('the list', async () => {
    await page.goto(`${market.url}/nodelist`)
    await expect(page.getByRole('dialog').getByRole('button', { name: wallet.name })).toBeVisible()
    await takePicture(page, '1-connect')
    await connect(page, wallet)
    await expect(page.getByRole('link', { name: /^Buy / })).toHaveCount(SAMPLES + 2)
    await expect(page.getByRole('row').filter({ hasText: 'Sample' })).toHaveCount(SAMPLES)
    await takePicture(page, '2-nodes')
  })

  await test.step('a search among them', async () => {
    await page.goto(`${market.url}/nodelist`)
    await page.getByRole('searchbox').fill('2x rtx 4090 under $400')
    await expect(page.getByRole('link', { name: /^Buy / })).toHaveCount(2)
    await expect(page.getByRole('row').filter({ hasText: /dune-\d.*Sample/s })).toHaveCount(2)
  })
})
