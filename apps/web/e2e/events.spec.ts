import { formatDeployText } from '@rackfair/protocol/deployText'
import { PRESET_IDS } from '@rackfair/rules/presets'
import { createApi } from '@rackfair/sdk'
import type { Address } from 'viem'
import { expect, test, whyNoAgent } from './agentTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { runApp } from './runApp.ts'
import { openConnected } from './test.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)
test.setTimeout(900_000)
const SLOW_MS = 60_000
const CLEAN = 0

test('shows all deployments of an order in one timeline after a signature', async ({ page, market, wallet }) => {
  const { orderId, leave } = await runApp(market, wallet.account, 'ubuntu')
  const api = createApi({ baseUrl: market.url })
  const order = await api.order(orderId)
  const { chainId } = await api.config()
  let lastTime = Math.floor(Date.now() / 1000)
  const request = async (deployId: number, phase: string) => {
    // Times of one order increase and are whole seconds.
    await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(lastTime)
    lastTime = Math.floor(Date.now() / 1000)
    const provider = order.provider as Address
    const text = formatDeployText({
      orderId: BigInt(orderId),
      deployId,
      wallet: wallet.account.address,
      provider,
      chainId,
      time: lastTime,
    })
    const { id } = await api.deploy({ text, signature: await wallet.account.signMessage({ message: text }) })
    await expect.poll(async () => (await api.deployment(id)).phase, { timeout: 400_000 }).toBe(phase)
  }
  await request(CLEAN, 'Cleaned')
  await request(PRESET_IDS.nginx, 'Running')

  await openConnected(page, wallet, `${market.url}/orderinfo?id=${orderId}&tab=events`)
  const events = page.getByRole('tabpanel', { name: /^Events/ })
  const tab = (name: RegExp) => page.getByRole('tab', { name })
  await test.step('shows the latest one next to the chain’s events without a workspace key', async () => {
    await expect(events.getByText(/^nginx answers/)).toBeVisible({ timeout: SLOW_MS })
    await expect(events.getByText(/^Created and paid/)).toBeVisible()
    await expect(events.getByText(/^Ubuntu: accepted/i)).toHaveCount(0)
  })

  const told = [
    ...[/^Created and paid/, /^Ubuntu: accepted/i, /^Ubuntu answers/i, /^The machine is being cleaned/],
    ...[/^nginx: accepted/, /^nginx answers/],
  ]
  const isWhole = async () => {
    for (const sentence of told) await expect(events.getByText(sentence).first()).toBeVisible({ timeout: SLOW_MS })
    await expect(events.getByText(/^nginx: accepted/)).toHaveCount(1)
    const shown = await events.getByRole('listitem').allInnerTexts()
    // Newest first.
    const places = told.map((sentence) => shown.findIndex((text) => text.split('\n').some((line) => sentence.test(line.trim()))))
    expect(places).toEqual(places.toSorted((a, b) => b - a))
  }
  await test.step('shows all of them with the key, newest first', async () => {
    await tab(/^Logs/).click()
    await page.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
    await expect(page.getByRole('log').getByText('Running').first()).toBeVisible({ timeout: SLOW_MS })
    await tab(/^Events/).click()
    await isWhole()
    await isAccessibleInEveryLook(page)
  })

  await test.step('remembers the key on the next visit', async () => {
    await page.reload()
    await isWhole()
  })
  await leave()
})
