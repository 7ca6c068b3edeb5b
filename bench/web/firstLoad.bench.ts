import { gzipSync } from 'node:zlib'
import type { Browser, Request } from '@playwright/test'
import { table } from '../platform/table.ts'
import { openBrowser } from './openBrowser.ts'
import { PUBLIC_PAGES } from './publicPages.ts'
import { withMachines } from './withMachines.ts'

/**
 * JavaScript of each public page, gzip (level 9, file by file) and as transferred (brotli), in a browser with an empty cache.
 *
 * First load: what the page requests until it is complete and interactive. Fetched when idle: what is loaded after that and not run before
 * the first interaction. Wallet: what the first interaction adds to every page, before any click. Rest of the page: what it adds to this
 * one, for content below the fold. Connect dialog: what opening it adds to that.
 */
const GOAL_KB = { 'first load': 5, wallet: 95 }
const QUIET_MS = 1_500
/** A busy machine takes long to start a browser, which is not what is measured. */
const MAX_WAIT_MS = 120_000

await withMachines(async (market) => {
  const browser = await openBrowser()
  const rows: (string | number)[][] = []
  const pages: ({ name: string } & Awaited<ReturnType<typeof measure>>)[] = []
  for (const { name, path } of PUBLIC_PAGES) pages.push({ name, ...(await measure(browser, market.url + path)) })
  const everywhere = ({ path }: Load) =>
    pages.every(({ first, idle, sign }) => [...first, ...idle, ...sign].some((load) => load.path === path))
  for (const { name, first, idle, sign, dialog } of pages) {
    const phases = {
      'first load': first,
      'fetched when idle': idle,
      wallet: sign.filter(everywhere),
      'rest of the page': sign.filter((load) => !everywhere(load)),
      'connect dialog': dialog,
    }
    for (const [phase, loads] of Object.entries(phases)) {
      const sum = (key: 'gzip' | 'transferred') => loads.reduce((total, load) => total + load[key], 0)
      const size = { files: loads.length, gzip: sum('gzip'), transferred: sum('transferred') }
      const goal = GOAL_KB[phase as keyof typeof GOAL_KB]
      const gap = goal === undefined ? '' : size.gzip <= goal * 1000 ? 'met' : `over by ${kb(size.gzip - goal * 1000)}`
      rows.push([name, phase, size.files, kb(size.gzip), kb(size.transferred), goal ?? '', gap])
    }
  }
  await browser.close()
  table(['page', 'what', 'files', 'gzip kB', 'transferred kB', 'goal kB', ''], rows)
})

interface Load {
  path: string
  gzip: number
  transferred: number
  /** Fetched ahead of its use, and not run. */
  isFetched: boolean
}

async function measure(browser: Browser, url: string) {
  const page = await browser.newPage()
  page.setDefaultTimeout(MAX_WAIT_MS)
  await page.addInitScript(() => {
    // Otherwise the node list would open the dialog by itself.
    sessionStorage.setItem('rackfair.asked', '1')
  })
  const loads: Promise<Load>[] = []
  const counted = new Set<string>()
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    // What is fetched when idle is imported from the cache later: it has been counted then.
    if (!pathname.endsWith('.js') || counted.has(pathname)) return
    counted.add(pathname)
    loads.push(sizeOf(request))
  })
  const rest = async () => {
    for (let before = -1; before !== loads.length; ) {
      before = loads.length
      await page.waitForTimeout(QUIET_MS)
    }
    return Promise.all(loads.splice(0))
  }

  await page.goto(url, { waitUntil: 'load' })
  await page.locator('#app[data-live]').waitFor({ state: 'attached' })
  const all = await rest()
  const first = all.filter(({ isFetched }) => !isFetched)
  const idle = all.filter(({ isFetched }) => isFetched)
  await page.getByRole('banner').getByRole('link').first().hover()
  await page.locator('#app:not([data-ahead])').waitFor({ state: 'attached' })
  await page.mouse.move(300, 300)
  const sign = await rest()
  await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('dialog').waitFor()
  const dialog = await rest()
  await page.close()
  return { first, idle, sign, dialog }
}

/** @throws Error where the browser gives no size: the table would be wrong */
async function sizeOf(request: Request): Promise<Load> {
  const path = new URL(request.url()).pathname
  const body = (await (await request.response())?.body()) ?? Buffer.alloc(0)
  const { responseBodySize: transferred } = await request.sizes()
  if (transferred <= 0 || body.length === 0) throw new Error(`${path}: ${transferred} bytes transferred, ${body.length} read`)
  return { path, gzip: gzipSync(body, { level: 9 }).length, transferred, isFetched: request.resourceType() === 'fetch' }
}

function kb(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
