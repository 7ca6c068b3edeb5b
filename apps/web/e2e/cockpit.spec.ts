import { readFile } from 'node:fs/promises'
import { openPage, pidOf, visit } from '@rackfair/testkit'
import { connect, expect, test, whyNoAgent } from './agentTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { paste } from './paste.ts'
import { runApp } from './runApp.ts'
import { TestWallet } from './TestWallet.ts'
import { takePicture } from './takePicture.ts'
import { choose, openConnected } from './test.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)
test.setTimeout(600_000)
const SLOW_MS = 60_000

test('draws live usage next to what was bought, readable by keyboard and as a table, and resumes after a lost connection', {
  tag: '@long',
}, async ({ page, market, wallet }) => {
  const { orderId, link, leave } = await runApp(market, wallet.account, 'nginx')
  await openConnected(page, wallet, `${market.url}/orderinfo?id=${orderId}&tab=usage`)
  await page.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
  const cursor = page.getByRole('slider', { name: 'Time in all charts' })
  const status = page.getByRole('tabpanel').getByRole('status')

  await test.step('shows new usage within seconds', async () => {
    await expect(status).toHaveText('Every 2 s', { timeout: SLOW_MS })
    await expect(page.getByText('1 core', { exact: true })).toBeVisible({ timeout: SLOW_MS })
    await expect(async () => {
      for (let at = 0; at < 20; at += 1) await visit(link, '/')
      const text = (await cursor.getAttribute('aria-valuetext')) ?? ''
      expect(Number(/Network [^,]*?([\d.]+) Mbit/.exec(text)?.[1])).toBeGreaterThan(0)
    }).toPass({ timeout: SLOW_MS })
    await takePicture(page, '14-usage')
    await isAccessibleInEveryLook(page)
  })

  await test.step('fits the times of its axes on a phone', async () => {
    const before = page.viewportSize() ?? { width: 1280, height: 800 }
    await page.setViewportSize({ width: 360, height: 800 })
    const axes = page.locator('.usage-times')
    await expect(axes).toHaveCount(5)
    const areCut = await axes.evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth))
    expect(areCut).toEqual(areCut.map(() => false))
    await page.setViewportSize(before)
  })

  await test.step('reads earlier points with the arrow keys, in all charts at once', async () => {
    // The previous check may still be switching back, which moves the focus.
    await expect(async () => {
      await cursor.focus()
      const newest = await cursor.getAttribute('aria-valuenow')
      await page.keyboard.press('ArrowLeft')
      await expect(page.locator('.usage-cursor')).toHaveCount(5, { timeout: 2_000 })
      expect(Number(await cursor.getAttribute('aria-valuenow'))).toBeLessThanOrEqual(Number(newest))
    }).toPass({ timeout: SLOW_MS })
    await page.keyboard.press('Escape')
    await expect(page.locator('.usage-cursor')).toHaveCount(0)
  })

  await test.step('shows the same figures in a table and a file', async () => {
    await choose(page.getByRole('radio', { name: 'Table' }), { force: true })
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

  await test.step('shows what was measured during an outage of the platform', async () => {
    await choose(page.getByRole('radio', { name: '1 h' }), { force: true })
    const keeper = pidOf(market.stateDir, 'market')
    process.kill(keeper, 'SIGSTOP')
    process.kill(pidOf(market.stateDir, 'platform'), 'SIGKILL')
    await expect(status).toContainText('Not connected since', { timeout: SLOW_MS })
    process.kill(keeper, 'SIGCONT')
    await expect(status).toHaveText('Every 2 s', { timeout: 3 * SLOW_MS })
    await choose(page.getByRole('radio', { name: 'Charts' }), { force: true })
    await expect(cursor).toBeVisible()
  })
  await leave()
})

test('keeps a terminal over a reload, a lost platform and a lost agent, and allows eight at most', {
  tag: '@long',
}, async ({ page, market, wallet }) => {
  const { orderId, leave } = await runApp(market, wallet.account, 'ubuntu')
  await openConnected(page, wallet, `${market.url}/orderinfo?id=${orderId}&tab=terminal`)
  await page.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
  const screen = page.locator('.xterm-rows:visible')
  const status = page.getByRole('tabpanel').getByRole('status').filter({ visible: true })
  const isConnected = () => expect(status).toContainText('Connected', { timeout: 3 * SLOW_MS })
  const run = async (command: string, answer: string | RegExp) => {
    await page.keyboard.type(`${command}\n`)
    await expect(screen).toContainText(answer, { timeout: SLOW_MS })
  }

  await test.step('opens a shell in the container', async () => {
    await isConnected()
    await run('echo "processors: $(nproc)"', 'processors: 1')
    await run('mine=kept; echo "a-$((6 * 7))-b"', 'a-42-b')
    await takePicture(page, '13-terminal')
    const drawn = await screen.elementHandle()
    await isAccessibleInEveryLook(page)
    expect(await drawn?.evaluate((one) => one.isConnected), 'it goes on in every language').toBe(true)
  })

  await test.step('types pasted text, and resizes with the window', async () => {
    await page.getByRole('textbox', { name: 'Terminal 1, type commands' }).focus()
    await paste(page, 'echo "pasted-$((40 + 2))"')
    await page.keyboard.press('Enter')
    await expect(screen).toContainText('pasted-42')
    await page.setViewportSize({ width: 1100, height: 800 })
    // The page reports its size before the shell has it, and the old size before it has the new one.
    await expect(async () => {
      const size = await status.locator('xpath=following-sibling::span[1]').textContent()
      const [columns, rows] = (size ?? '').split(' × ')
      await page.keyboard.type('echo "size: $(stty size)"\n')
      await expect(screen).toContainText(`size: ${rows} ${columns}`, { timeout: 2_000 })
    }).toPass({ timeout: SLOW_MS })
  })

  await test.step('takes text that comes without keys, also while it writes for screen readers, and keeps that choice', async () => {
    const forReaders = page.getByRole('switch', { name: 'Screen reader' })
    await expect(forReaders).not.toBeChecked()
    for (const [text, answer] of [
      ['xéy', 'got xéy 1'],
      ['x你y', 'got x你y 2'],
    ] as const) {
      await page.getByRole('textbox', { name: 'Terminal 1, type commands' }).focus()
      await page.keyboard.type('echo got ')
      await page.keyboard.insertText(text)
      await page.keyboard.type(` ${answer.at(-1)}\n`)
      await expect(screen).toContainText(answer, { timeout: SLOW_MS })
      await choose(forReaders, { force: true })
    }
    await expect(page.locator('.xterm-accessibility-tree:visible')).toContainText('got x你y 2')
    await isAccessibleInEveryLook(page)
    await page.reload()
    await isConnected()
    await expect(forReaders).toBeChecked()
    await choose(forReaders, { to: false, force: true })
  })

  await test.step('restores the shell and its screen after a reload', async () => {
    await page.reload()
    await isConnected()
    await expect(screen).toContainText('pasted-42', { timeout: SLOW_MS })
    await run('echo "mine is $mine"', 'mine is kept')
  })

  await test.step('keeps the screen, ignores keys and restores the shell after the platform is killed', async () => {
    const keeper = pidOf(market.stateDir, 'market')
    process.kill(keeper, 'SIGSTOP')
    process.kill(pidOf(market.stateDir, 'platform'), 'SIGKILL')
    await expect(status).toContainText('Not connected since', { timeout: SLOW_MS })
    await expect(screen).toContainText('mine is kept')
    await page.keyboard.type('blind')
    process.kill(keeper, 'SIGCONT')
    await isConnected()
    await run('echo "still $mine"', 'still kept')
    await expect(screen).not.toContainText('blind')
  })

  await test.step('opens and announces another shell after the agent is killed', async () => {
    const keeper = pidOf(market.stateDir, 'market')
    process.kill(keeper, 'SIGSTOP')
    process.kill(pidOf(market.stateDir, 'agent'), 'SIGKILL')
    await expect(status).toContainText('Not connected since', { timeout: SLOW_MS })
    process.kill(keeper, 'SIGCONT')
    await isConnected()
    await expect(screen).toContainText('The earlier shell has ended', { timeout: SLOW_MS })
    await run('echo "now [$mine]"', 'now []')
  })

  await test.step('allows eight independent terminals, and ends one on close', async () => {
    const add = page.getByRole('button', { name: 'New terminal' })
    for (let number = 2; number <= 8; number += 1) {
      await add.click()
      await isConnected()
    }
    await expect(add).toHaveAttribute('aria-disabled', 'true')
    await run('sleep 4242 & echo "running: $(pgrep -f "sleep 424[2]" | wc -l)"', 'running: 1')
    await page.getByRole('button', { name: 'Close Terminal 8' }).click()
    await expect(page.getByRole('button', { name: 'Terminal 8', exact: true })).toHaveCount(0, { timeout: SLOW_MS })
    await page.getByRole('button', { name: 'Terminal 2', exact: true }).click()
    await run('while pgrep -f "sleep 424[2]" > /dev/null; do sleep 0.1; done; echo "left: $((1 - 1))"', 'left: 0')
    await page.keyboard.press('Control+F6')
    await expect(page.getByRole('button', { name: 'Terminal 2', exact: true })).toBeFocused()
  })

  await test.step('reports the end of a shell, and opens another', async () => {
    await page.getByRole('textbox', { name: 'Terminal 2, type commands' }).focus()
    await page.keyboard.type('exit\n')
    await page.getByRole('button', { name: 'Open a new shell' }).click({ timeout: SLOW_MS })
    await isConnected()
    await isAccessibleInEveryLook(page)
  })
  await leave()
})

test('lists the keys of an order, and ends a revoked one’s session at once', { tag: '@long' }, async ({
  page,
  market,
  wallet,
  browser,
}) => {
  const { orderId, leave } = await runApp(market, wallet.account, 'ubuntu')
  const address = `${market.url}/orderinfo?id=${orderId}&tab=usage`
  await openConnected(page, wallet, address)
  await page.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
  const card = page.getByRole('region', { name: 'Access keys' })
  await expect(card.getByRole('listitem')).toHaveText([/^This browser/], { timeout: SLOW_MS })

  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const other = await context.newPage()
  const same = new TestWallet(other, market.rpcUrl)
  await same.install()
  await same.switchAccount(wallet.account)
  await openPage(other, address)
  await connect(other, same)
  await other.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
  await expect(other.getByRole('slider', { name: 'Time in all charts' })).toBeVisible({ timeout: SLOW_MS })

  await page.reload()
  await expect(card.getByRole('listitem')).toHaveCount(2, { timeout: SLOW_MS })
  await isAccessibleInEveryLook(page)
  await card.getByRole('button', { name: /^Revoke: Key / }).click()
  await expect(page.getByRole('dialog')).toContainText('lose logs, terminals, usage and files at once')
  await isAccessibleInEveryLook(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(card.getByRole('listitem')).toHaveText([/^This browser/], { timeout: SLOW_MS })
  await expect(other.getByRole('button', { name: 'Sign once' })).toBeVisible({ timeout: SLOW_MS })
  await context.close()

  await card.getByRole('button', { name: 'Revoke: This browser' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('button', { name: 'Sign once' })).toBeVisible({ timeout: SLOW_MS })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign once' })).toBeVisible({ timeout: SLOW_MS })
  await leave()
})

test('restarts, stops, starts and redeploys an application with a key of its order, keeping its data', {
  tag: '@long',
}, async ({ page, market, wallet }) => {
  const { orderId, leave } = await runApp(market, wallet.account, 'ubuntu')
  await openConnected(page, wallet, `${market.url}/orderinfo?id=${orderId}&tab=terminal`)
  const actions = page.locator('[data-page-actions]')
  const dialog = page.getByRole('dialog')
  const screen = page.locator('.xterm-rows:visible')
  const status = page.getByRole('tabpanel').getByRole('status').filter({ visible: true })
  const choose = async (name: string) => {
    await actions.getByRole('button', { name: 'More actions' }).click({ timeout: SLOW_MS })
    await page.getByRole('menuitem', { name }).click()
  }

  await test.step('asks the wallet for a signature once', async () => {
    await actions.getByRole('button', { name: 'Restart' }).click({ timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    await dialog.getByRole('button', { name: 'Sign once' }).click()
    await expect(dialog).toContainText('Everything on the order’s disk stays', { timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    await dialog.getByRole('button', { name: 'Leave it as it is' }).click()
  })

  await test.step('ends the shells and keeps the files on a restart', async () => {
    await expect(status).toContainText('Connected', { timeout: SLOW_MS })
    await page.getByRole('textbox', { name: 'Terminal 1, type commands' }).focus()
    await page.keyboard.type('echo "kept-$((40+2))" > ~/mine; cat ~/mine\n')
    await expect(screen).toContainText('kept-42', { timeout: SLOW_MS })
    await actions.getByRole('button', { name: 'Restart' }).click()
    await dialog.getByRole('button', { name: 'Restart' }).click()
    await expect(status).toContainText('The shell has ended', { timeout: SLOW_MS })
    await expect(actions.getByRole('button', { name: 'Visit' })).toBeVisible({ timeout: 3 * SLOW_MS })
    await page.getByRole('button', { name: 'Open a new shell' }).click()
    await expect(status).toContainText('Connected', { timeout: SLOW_MS })
    await page.keyboard.type('clear; cat ~/mine\n')
    await expect(screen).toContainText('kept-42', { timeout: SLOW_MS })
  })

  await test.step('shows a stopped application, and offers to start it', async () => {
    await choose('Stop…')
    await expect(dialog).toContainText('The order continues, and so do its charges')
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(actions.getByRole('button', { name: 'Start', exact: true })).toBeVisible({ timeout: SLOW_MS })
    await expect(actions.getByRole('button', { name: 'Visit' })).toHaveCount(0, { timeout: SLOW_MS })
    await expect(page.getByText('Stopped by you')).toBeVisible()
    await isAccessibleInEveryLook(page)
    await actions.getByRole('button', { name: 'Start', exact: true }).click()
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(actions.getByRole('button', { name: 'Visit' })).toBeVisible({ timeout: 3 * SLOW_MS })
  })

  await test.step('names what a redeploy keeps and deletes before it starts', async () => {
    await choose('Redeploy, keep the data…')
    await expect(dialog).toContainText('Kept: /home/renter.', { timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    await dialog.getByRole('button', { name: 'Redeploy' }).click()
    await expect(dialog).toHaveCount(0, { timeout: SLOW_MS })
    await expect(actions.getByRole('button', { name: 'Visit' })).toBeVisible({ timeout: 3 * SLOW_MS })
    await page.goto(`${market.url}/orderinfo?id=${orderId}&tab=files`)
    await expect(page.getByRole('table').getByText('mine')).toBeVisible({ timeout: 3 * SLOW_MS })
  })
  await leave()
})
