import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Page } from '@playwright/test'
import { startMarket, visit } from '@rackfair/testkit'
import { runApp } from '../../apps/web/e2e/runApp.ts'
import { TestWallet } from '../../apps/web/e2e/TestWallet.ts'
import { connect } from '../../apps/web/e2e/test.ts'
import { percentile, table } from '../platform/table.ts'
import { longestFrame } from '../web/longestFrame.ts'
import { openBrowser } from '../web/openBrowser.ts'

/**
 * The order page in Chromium, through the real platform and agent: from a request to its line in the log, how smooth a log of 100,000 lines
 * is, and a file upload and download.
 */
const LINES = 60
/** The page keeps at most 100,000 lines, and then drops a batch. A request for a missing file writes one line. */
const MANY_REQUESTS = 99_000
const FILE_BYTES = Number(process.env.RACKFAIR_BENCH_MIB ?? 64) * 2 ** 20
const WAIT = { timeout: 600_000 }

const folder = await mkdtemp(join(tmpdir(), 'rackfair-bench-'))
const market = await startMarket({ agent: true })
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const wallet = new TestWallet(page, market.rpcUrl)
  await wallet.install()
  const site = await runApp(market, wallet.account, 'nginx')
  const disk = await runApp(market, wallet.account, 'ubuntu')
  await page.goto(`${market.url}/orderinfo?id=${site.orderId}`)
  await connect(page, wallet)
  await page.getByRole('button', { name: 'Sign once' }).click(WAIT)
  await page.getByRole('log').getByText('Running').first().waitFor(WAIT)
  const taken: number[] = []
  for (let line = 0; line < LINES; line += 1) taken.push(await lineAfter(page, site.link, `line-${line}-ends`))
  const at = (share: number) => percentile(taken, share).toFixed(0)
  table(['from a request to its line in the log', 'p50 ms', 'p95 ms'], [[String(LINES), at(0.5), at(0.95)]])

  const lines = await fillLog(page, site.link)
  await page.getByRole('log').hover()
  const wheel = async (distance: number) => {
    for (let step = 0; step < 40; step += 1) {
      await page.mouse.wheel(0, step < 20 ? -distance : distance)
      await page.waitForTimeout(30)
    }
  }
  const frames: string[] = []
  for (const distance of [400, 100_000]) frames.push((await longestFrame(page, () => wheel(distance))).toFixed(0))
  const search = async () => {
    await page.getByRole('searchbox').pressSequentially('missing-4242', { delay: 90 })
    await page.waitForTimeout(1000)
  }
  frames.push((await longestFrame(page, search)).toFixed(0))
  table(['longest frame in a log of', 'scrolled, ms', 'far, ms', 'searched, ms'], [[`${lines} lines`, ...frames]])

  // Without a dialog of the operating system: uses the browser's own download.
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await page.goto(`${market.url}/orderinfo?id=${disk.orderId}&tab=files`)
  await page.getByRole('button', { name: 'Sign once' }).click(WAIT)
  await page.getByText('Nothing is in this folder').waitFor(WAIT)
  const file = join(folder, 'large.bin')
  await writeFile(file, randomBytes(FILE_BYTES))
  const row = page.getByRole('region', { name: 'Uploads and downloads' }).getByRole('listitem')
  const isDone = () => row.getByRole('status').getByText('done', { exact: true }).waitFor(WAIT)
  const up = await megabytesPerSecond(async () => {
    await page.locator('input[type=file]').setInputFiles(file)
    await isDone()
  })
  await page.getByRole('button', { name: 'Clear finished' }).click()
  await page.getByRole('button', { name: 'What to do with large.bin', exact: true }).click(WAIT)
  const saved = page.waitForEvent('download', WAIT)
  const down = await megabytesPerSecond(async () => {
    await page.getByRole('menuitem', { name: 'Download', exact: true }).click()
    await isDone()
  })
  const { size } = await stat(await (await saved).path())
  if (size !== FILE_BYTES) throw new Error(`${size} bytes came down`)
  table(['one file in the browser', 'up MB/s', 'down MB/s'], [[`${FILE_BYTES / 2 ** 20} MiB`, up.toFixed(1), down.toFixed(1)]])
} finally {
  await browser.close()
  await market.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Both timestamps are from this machine's clock. */
async function lineAfter(page: Page, link: string, word: string): Promise<number> {
  const seen = page.getByRole('log').evaluate(
    (log, wanted) =>
      new Promise<number>((resolve) => {
        const watcher = new MutationObserver(() => {
          if (!log.textContent?.includes(wanted)) return
          watcher.disconnect()
          resolve(Date.now())
        })
        watcher.observe(log, { childList: true, subtree: true, characterData: true })
      }),
    word,
  )
  // Once this has returned, the observer is active.
  await page.evaluate(() => undefined)
  const start = Date.now()
  await visit(link, `/${word}`)
  return (await seen) - start
}

/** How many lines the page reports, once it has all of them. */
async function fillLog(page: Page, link: string): Promise<string> {
  let asked = 0
  const ask = async () => {
    while (asked++ < MANY_REQUESTS) await (await visit(link, `/missing-${asked}`)).arrayBuffer()
  }
  await Promise.all(Array.from({ length: 16 }, ask))
  const said = page.getByText(/^(9[89]|100),\d{3} lines since/)
  await said.waitFor(WAIT)
  return ((await said.textContent()) ?? '').split(' ')[0] ?? ''
}

async function megabytesPerSecond(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return FILE_BYTES / 1e6 / ((performance.now() - start) / 1000)
}
