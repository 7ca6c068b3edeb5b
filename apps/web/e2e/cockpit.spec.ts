import { readFile } from 'node:fs/promises'
import { pidOf, visit } from '@rackfair/testkit'
import { connect, expect, test, whyNoAgent } from './agentTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { runApp } from './runApp.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)
test.setTimeout(600_000)
const SLOW_MS = 60_000

test('usage is drawn live beside what was bought, read by keyboard and as a table, and goes on after a broken connection', async ({
  page,
  market,
  wallet,
}) => {
  const { orderId, link, leave } = await runApp(market, wallet.account, 'nginx')
  await page.goto(`${market.url}/orderinfo?id=${orderId}&tab=usage`)
  await connect(page, wallet)
  await page.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
  const cursor = page.getByRole('slider', { name: 'Time in all charts' })
  const status = page.getByRole('tabpanel').getByRole('status')

  await test.step('what the application does is seen seconds later', async () => {
    await expect(status).toHaveText('Every 2 s', { timeout: SLOW_MS })
    await expect(page.getByText('1 core', { exact: true })).toBeVisible({ timeout: SLOW_MS })
    await expect(async () => {
      for (let at = 0; at < 20; at += 1) await visit(link, '/')
      const text = (await cursor.getAttribute('aria-valuetext')) ?? ''
      expect(Number(/Network [^,]*?([\d.]+) Mbit/.exec(text)?.[1])).toBeGreaterThan(0)
    }).toPass({ timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
  })

  await test.step('the arrows read earlier points, in all charts at once', async () => {
    await cursor.focus()
    const newest = await cursor.getAttribute('aria-valuenow')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => Number(await cursor.getAttribute('aria-valuenow'))).toBeLessThanOrEqual(Number(newest))
    await expect(page.locator('.usage-cursor')).toHaveCount(5)
    await page.keyboard.press('Escape')
    await expect(page.locator('.usage-cursor')).toHaveCount(0)
  })

  await test.step('the same figures stand in a table and in a file', async () => {
    await page.getByRole('radio', { name: 'Table' }).check({ force: true })
    const table = page.getByRole('table', { name: 'Usage, newest first' })
    await expect(table.getByRole('row').nth(2)).toContainText('cores')
    await isAccessibleInEveryLook(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`order-${orderId}-usage.csv`)
    const [head, first] = (await readFile(await download.path(), 'utf8')).split('\n')
    expect(head).toBe('time,processor,memory,disk,network received,network sent,processes')
    expect(first).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z(,[\d.]+){6}$/)
  })

  await test.step('the platform goes and comes back: what was measured meanwhile is there', async () => {
    await page.getByRole('radio', { name: '1 h' }).check({ force: true })
    const keeper = pidOf(market.stateDir, 'market')
    process.kill(keeper, 'SIGSTOP')
    process.kill(pidOf(market.stateDir, 'platform'), 'SIGKILL')
    await expect(status).toContainText('Not connected since', { timeout: SLOW_MS })
    process.kill(keeper, 'SIGCONT')
    await expect(status).toHaveText('Every 2 s', { timeout: 3 * SLOW_MS })
    await page.getByRole('radio', { name: 'Charts' }).check({ force: true })
    await expect(cursor).toBeVisible()
  })
  await leave()
})
