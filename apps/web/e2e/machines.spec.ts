import { developmentAccounts } from '@rackfair/testkit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test, whyNoAgent } from './agentTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { runApp } from './runApp.ts'
import { takePicture } from './takePicture.ts'
import { openConnected } from './test.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)
test.setTimeout(600_000)
/** The agent polls every ten seconds and measures between polls. */
const SLOW_MS = 60_000

test('shows a provider the usage of its machines from its own agent, after one signature', async ({ page, market, wallet }) => {
  const { provider } = developmentAccounts()
  wallet.account = provider
  const { orderId } = await runApp(market, privateKeyToAccount(generatePrivateKey()), 'nginx')
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: `Order ${orderId}` }) })
  await expect(row).toContainText('Running')
  const signed = () => wallet.asked.filter((method) => method === 'personal_sign').length
  const before = signed()
  await page.getByRole('button', { name: 'Show use and heat' }).click()
  await expect(row.getByText(/^\d+%$/)).toBeVisible({ timeout: SLOW_MS })
  expect(signed() - before).toBe(1)
  await expect(page.getByText('Show use and heat')).toHaveCount(0)
  await isAccessibleInEveryLook(page)

  await page.reload()
  await expect(row.getByText(/^\d+%$/)).toBeVisible({ timeout: SLOW_MS })
  await expect(row.getByRole('img', { name: /^Use of .* over 24 hours$/ })).toBeVisible()
  expect(signed() - before).toBe(1)
  await takePicture(page, '27-own-machines', [1440])
})
