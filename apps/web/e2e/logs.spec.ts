import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { formatDeployText, PRESET_IDS } from '@rackfair/core'
import type { NodeListItem } from '@rackfair/core/wire'
import { contractCall, createApi } from '@rackfair/sdk'
import { pidOf, type RunningMarket, visit } from '@rackfair/testkit'
import type { Address, LocalAccount } from 'viem'
import { connect, expect, test, whyNoAgent } from './agentTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { marketActor } from './marketActor.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)
test.setTimeout(600_000)
const SLOW_MS = 60_000

test('the log of an application is signed for once, followed, searched, kept over a broken connection, and downloaded', async ({
  page,
  market,
  wallet,
}) => {
  const { orderId, link, leave } = await runNginx(market, wallet.account)
  await page.goto(`${market.url}/orderinfo?id=${orderId}`)
  await connect(page, wallet)
  const log = page.getByRole('log')
  const status = page.getByRole('tabpanel').getByRole('status')

  await test.step('one signature opens it, and a reload needs none', async () => {
    const sign = page.getByRole('button', { name: 'Sign once' })
    await expect(sign).toBeVisible({ timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    await sign.click()
    await expect(log).toContainText('Running', { timeout: SLOW_MS })
    await page.reload()
    await expect(log).toContainText('Running', { timeout: SLOW_MS })
    await expect(status.filter({ hasText: 'Following' })).toBeVisible()
  })

  await test.step('what the application writes is there, by its level, and what would act on a terminal is text', async () => {
    for (let at = 1; at <= 20; at += 1) await visit(link, `/missing-${at}`)
    await visit(link, '/%1b%5b2Jclear%07%3Cb%3Ebold')
    await expect(log).toContainText('missing-20', { timeout: SLOW_MS })
    await expect(log).toContainText('clear·<b>bold', { timeout: SLOW_MS })
    await expect(log.locator('b')).toHaveCount(0)
    await expect(log.locator('[data-level="fail"]').first()).toContainText('No such file or directory')
    await isAccessibleInEveryLook(page)
  })

  await test.step('it is searched, and shown by its level', async () => {
    await count(page, 'missing-', 20)
    await page.keyboard.press('Enter')
    await expect(log.locator('[data-current]')).toContainText('missing-20')
    await page.keyboard.press('Enter')
    await expect(log.locator('[data-current]')).toContainText('missing-19')
    await page.getByRole('searchbox').fill('')
    await page.getByRole('radio', { name: /^Info/ }).check({ force: true })
    await expect(log).not.toContainText('missing-')
    await page.getByRole('radio', { name: 'All' }).check({ force: true })
    await expect(status.filter({ hasText: 'Paused' })).toBeVisible()
    await page.getByRole('button', { name: 'Follow' }).click()
    await expect(log).toContainText('clear·<b>bold')
  })

  await test.step('the platform goes and comes back: since when is said, no line is missing and none comes twice', async () => {
    const keeper = pidOf(market.stateDir, 'market')
    process.kill(keeper, 'SIGSTOP')
    process.kill(pidOf(market.stateDir, 'platform'), 'SIGKILL')
    await expect(status.filter({ hasText: /^Not connected since \d\d:\d\d:\d\d, nothing is lost$/ })).toBeVisible({
      timeout: SLOW_MS,
    })
    for (let at = 21; at <= 40; at += 1) await visit(link, `/missing-${at}`)
    process.kill(keeper, 'SIGCONT')
    await expect(log).toContainText('missing-40', { timeout: 3 * SLOW_MS })
    await count(page, 'missing-', 40)
    await page.getByRole('searchbox').fill('')
  })

  await test.step('the download has every byte', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the whole log' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`order-${orderId}.log`)
    const text = await readFile(await download.path(), 'latin1')
    for (let at = 1; at <= 40; at += 1) expect(text).toContain(`missing-${at}"`)
  })
  await leave()
})

/** How many lines a search finds. */
async function count(page: Page, query: string, lines: number): Promise<void> {
  await page.getByRole('searchbox').fill(query)
  await expect(page.getByRole('status').filter({ hasText: `/ ${lines}` })).toBeVisible({ timeout: SLOW_MS })
}

/** Buys a machine of this agent and runs nginx on it, without the pages, whose part of it has its own story. */
async function runNginx(market: RunningMarket, account: LocalAccount) {
  const api = createApi({ baseUrl: market.url })
  const actor = await marketActor(market, account)
  const idle = async () => (await api.nodes({ idle: 'true', online: 'true' })).items.find(({ cp }) => cp !== undefined)
  await expect.poll(idle, { timeout: 120_000 }).toBeDefined()
  const { cp, id } = (await idle()) as NodeListItem
  const order = await actor.buy(cp as Address, BigInt(id))
  const orderId = String(order)
  const isKnown = () =>
    api.order(orderId).then(
      () => true,
      () => false,
    )
  await expect.poll(isKnown, { timeout: SLOW_MS }).toBe(true)
  const { chainId } = await api.config()
  const text = formatDeployText({
    ...{ orderId: order, deployId: PRESET_IDS.nginx, wallet: account.address, provider: cp as Address, chainId },
    time: Math.floor(Date.now() / 1000),
  })
  await api.deploy({ text, signature: await account.signMessage({ message: text }) })
  await expect.poll(async () => (await api.orderDeployment(orderId)).phase, { timeout: 400_000 }).toBe('Running')
  const { visitUrl } = await api.orderDeployment(orderId)
  const leave = () => actor.send(contractCall(actor.addresses, 'market', 'userCancel', [order]))
  return { orderId, link: visitUrl ?? '', leave }
}
