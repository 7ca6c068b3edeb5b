import type { Browser } from '@playwright/test'
import { percentile, table } from '../platform/table.ts'
import { openBrowser } from './openBrowser.ts'
import { withMachines } from './withMachines.ts'

/**
 * On a slow phone (processor four times slower, 150 ms, 1.6 Mbit/s), from navigation to the machines: Buy in the node list, the rack on the
 * home page. For comparison the same page with an empty parameter, which the platform does not render: it is the page of the build. Goal:
 * 1.0 s. Empty cache. The median of five.
 */
const RUNS = 5
const GOAL_MS = 1_000
const PAGES = [
  { name: 'node list', path: '/nodelist', machines: 'a[href^="/addorder"]' },
  { name: 'home', path: '/', machines: 'main figure [role=slider]' },
] as const

declare global {
  interface Window {
    machinesAt?: number
  }
}

await withMachines(async (market) => {
  const browser = await openBrowser()
  const rows: (string | number)[][] = []
  for (const { name, path, machines } of PAGES) {
    const drawn = await median(browser, market.url + path, machines)
    const built = await median(browser, `${market.url}${path}?from=`, machines)
    rows.push([name, drawn, built, drawn <= GOAL_MS ? 'met' : 'missed'])
  }
  await browser.close()
  table(['page', 'drawn with its answers, ms', 'as built, ms', `goal ${GOAL_MS} ms`], rows)
})

async function median(browser: Browser, url: string, machines: string): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run += 1) times.push(await measure(browser, url, machines))
  return Math.round(percentile(times, 0.5))
}

async function measure(browser: Browser, url: string, machines: string): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
  await devtools.send('Network.emulateNetworkConditions', line)
  await page.addInitScript((selector) => {
    sessionStorage.setItem('rackfair.asked', '1')
    const look = () => {
      const isPainted = performance.getEntriesByName('first-contentful-paint').length > 0
      if (isPainted && [...document.querySelectorAll(selector)].some((element) => element.checkVisibility()))
        window.machinesAt = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, machines)
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.machinesAt !== undefined)
  const at = await page.evaluate(() => window.machinesAt ?? 0)
  await page.close()
  return at
}
