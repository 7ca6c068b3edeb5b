import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { pidOf, visit } from '@rackfair/testkit'
import { expect, test, whyNoAgent } from './agentTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { runApp } from './runApp.ts'
import { choose, openConnected } from './test.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)
test.setTimeout(600_000)
const SLOW_MS = 60_000

test('signs once for a log, follows, searches and downloads it, and keeps it over a lost connection', async ({
  page,
  market,
  wallet,
}) => {
  const { orderId, link, leave } = await runApp(market, wallet.account, 'nginx')
  await openConnected(page, wallet, `${market.url}/orderinfo?id=${orderId}`)
  const log = page.getByRole('log')
  const status = page.getByRole('tabpanel').getByRole('status')

  await test.step('opens with one signature, and without one after a reload', async () => {
    const sign = page.getByRole('button', { name: 'Sign once' })
    await expect(sign).toBeVisible({ timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    await sign.click()
    await expect(log).toContainText('Running', { timeout: SLOW_MS })
    await page.reload()
    await expect(log).toContainText('Running', { timeout: SLOW_MS })
    await expect(status.filter({ hasText: 'Following' })).toBeVisible()
  })

  await test.step('shows the output by level, with control characters escaped', async () => {
    for (let at = 1; at <= 20; at += 1) await visit(link, `/missing-${at}`)
    await visit(link, '/%1b%5b2Jclear%07%3Cb%3Ebold')
    await expect(log).toContainText('missing-20', { timeout: SLOW_MS })
    await expect(log).toContainText('clear·<b>bold', { timeout: SLOW_MS })
    await expect(log.locator('b')).toHaveCount(0)
    await expect(log.locator('[data-level="fail"]').first()).toContainText('No such file or directory')
    await isAccessibleInEveryLook(page)
  })

  await test.step('searches, and filters by level', async () => {
    await count(page, 'missing-', 20)
    await page.keyboard.press('Enter')
    await expect(log.locator('[data-current]')).toContainText('missing-20')
    await page.keyboard.press('Enter')
    await expect(log.locator('[data-current]')).toContainText('missing-19')
    await page.getByRole('searchbox').fill('')
    await choose(page.getByRole('radio', { name: /^Info/ }), { force: true })
    await expect(log).not.toContainText('missing-')
    await choose(page.getByRole('radio', { name: 'All' }), { force: true })
    await expect(status.filter({ hasText: 'Paused' })).toBeVisible()
    await page.getByRole('button', { name: 'Follow' }).click()
    await expect(log).toContainText('clear·<b>bold')
  })

  await test.step('reports an outage of the platform with its time, without a missing or repeated line', async () => {
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

  await test.step('downloads every byte', async () => {
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

/** Number of lines that a search matches. */
async function count(page: Page, query: string, lines: number): Promise<void> {
  await page.getByRole('searchbox').fill(query)
  await expect(page.getByRole('status').filter({ hasText: `/ ${lines}` })).toBeVisible({ timeout: SLOW_MS })
}
