import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { contractCall } from '@rackfair/sdk'
import { createTestClient, http } from 'viem'
import { buy, create, creditOf, expect, purchaseUrl, success, test } from './buyerTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'

const DAY = 86_400
const MONTH = 30 * DAY

/** The test moves this chain's clock, so the file has its own market. */
test.use({ machines: 2 })

test('ends probation, reports a silent machine, and warns before and after the end of an order', async ({
  start,
  page,
  market,
  provider,
  wallet,
  api,
  freeNode,
}) => {
  const silent = await buy(start)
  await page.goto(purchaseUrl({ ...start, node: freeNode() }))
  await create(page).click()
  await success(page).getByRole('button', { name: 'Go to My orders' }).click()
  const long = String(Number(silent) + 1)
  for (const id of [silent, long]) await provider.send(contractCall(provider.addresses, 'market', 'activate', [BigInt(id)]))
  const card = (id: string) => page.locator(`[data-order="${id}"]`)

  await test.step('ending the probation', async () => {
    await card(silent).getByRole('button', { name: 'End probation' }).click()
    const dialog = page.getByRole('dialog', { name: `End the probation of order ${silent}` })
    await expect(dialog).toContainText('either side can leave at once')
    await isAccessibleInEveryLook(page)
    await dialog.getByRole('button', { name: 'End probation' }).click()
    await expect(page.getByText(`The probation of order ${silent} has ended`)).toBeVisible()
    await expect(card(silent).getByRole('button', { name: 'End probation' })).toBeHidden()
    await expect.poll(async () => (await api.order(silent)).UserConfirm).toBe(true)
    await card(silent)
      .getByRole('link', { name: /^helios/ })
      .click()
    await expect(page.getByText('You ended the probation')).toBeVisible()
  })

  await test.step('a machine that does not respond, and Cancel with its refund', async () => {
    provider.stop()
    await expect(async () => {
      fallSilent(market.stateDir, 600)
      await page.reload()
      await expect(page.getByText(/^The machine does not answer; last heard 1\d min\. ago/)).toBeVisible({ timeout: 15_000 })
    }).toPass()
    const text = /^The order keeps running and its time is charged\. .* now \$157\.9\d, comes back at once/
    await expect(page.getByText(text)).toBeVisible()
    await expect(page.getByText('Downtime refund')).toBeHidden()
    await page.getByRole('button', { name: /^Cancel, get \$157\.9\d back/ }).click()
    const cancel = page.getByRole('dialog', { name: `Cancel order ${silent}` })
    await expect(cancel.getByTestId('refund')).toHaveText(/^\$157\.9/)
    const before = await creditOf(provider, wallet)
    await cancel.getByRole('button', { name: /^Cancel order, get/ }).click()
    await expect(page.getByText(`Order ${silent} is cancelled`)).toBeVisible()
    const back = (await creditOf(provider, wallet)) - before
    expect(back).toBeGreaterThan(0n)
    await expect.poll(async () => BigInt((await api.order(silent)).refunded)).toBe(back)
  })

  await test.step('3 days, 1 day, over', async () => {
    const chain = createTestClient({ mode: 'anvil', transport: http(market.rpcUrl) })
    let passed = 0
    const moveTo = async (left: number) => {
      await chain.increaseTime({ seconds: MONTH - left - passed })
      await chain.mine({ blocks: 1 })
      passed = MONTH - left
      await page.clock.setSystemTime(Date.now() + passed * 1000)
      await page.reload()
    }
    await page.goto(`${market.url}/myspace`)
    await expect(card(long)).toContainText('Ready to deploy')
    await expect(card(long)).not.toContainText('Ends in')
    await moveTo(3 * DAY - 3600)
    await expect(card(long).getByText(/^Ends in 2d 2[23]h/)).toBeVisible()
    await expect(card(long)).toContainText('Extend it to keep the machine and the data on it.')
    await moveTo(DAY - 3600)
    await expect(card(long).getByText(/^Ends in 2[23]h/)).toBeVisible()
    await card(long).getByRole('link', { name: 'Extend' }).click()
    await expect(page.getByText('Expires today')).toBeVisible()
    await page.goBack()
    await card(long)
      .getByRole('link', { name: /^helios/ })
      .click()
    await expect(page.getByRole('alert').getByText(/^Ends in 2[23]h/)).toBeVisible()
    await moveTo(-60)
    await expect(page.getByText('Expired', { exact: true })).toBeVisible()
    await expect(page.getByText('The time is over.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Extend' })).toBeHidden()
  })
})

/** As another process of the platform would record it after its agents have been silent for that many seconds. */
function fallSilent(stateDir: string, seconds: number): void {
  const store = new DatabaseSync(join(stateDir, 'platform', 'market.sqlite'))
  store.prepare(`update presence set holder = '', online = 0, "lastSeen" = ?`).run(Math.floor(Date.now() / 1000) - seconds)
  store
    .prepare(`insert into change (topic, "user", body)
      select 'presence', '', json_object('type', 'presence', 'cp', provider, 'online', json('false')) from presence`)
    .run()
  store.close()
}
