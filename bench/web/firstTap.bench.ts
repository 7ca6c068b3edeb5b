import type { Browser, Page } from '@playwright/test'
import { percentile, table } from '../platform/table.ts'
import { openBrowser } from './openBrowser.ts'
import { withMachines } from './withMachines.ts'

/**
 * On a slow phone (processor four times slower, 150 ms, 1.6 Mbit/s), from the first tap on a node list that has been open for a while to
 * its dialog, which the page opens by itself, and until the app has hydrated the page, with its files fetched when idle and, as on a
 * metered connection, without. Median of five.
 */
const RUNS = 5
const GOAL_MS = 300
const FILTERS = 'main button[aria-haspopup=dialog]'

/** Milliseconds since the tap. */
interface Times {
  open: number
  taken: number
}

await withMachines(async (market) => {
  const browser = await openBrowser()
  const rows: (string | number)[][] = []
  for (const [name, saveData] of [
    ['fetched when idle', false],
    ['with data saving', true],
  ] as const) {
    const times: Times[] = []
    for (let run = 0; run < RUNS; run += 1) times.push(await measure(browser, `${market.url}/nodelist`, saveData))
    const median = (key: keyof Times) =>
      Math.round(
        percentile(
          times.map((time) => time[key]),
          0.5,
        ),
      )
    rows.push([name, median('open'), median('taken'), saveData ? '' : median('open') <= GOAL_MS ? 'met' : 'missed'])
  }
  await browser.close()
  table(['app', 'dialog stands open, ms', 'taken over, ms', `goal ${GOAL_MS} ms`], rows)
})

async function measure(browser: Browser, url: string, saveData: boolean): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
  await devtools.send('Network.emulateNetworkConditions', line)
  await page.addInitScript((isSparing) => {
    sessionStorage.setItem('rackfair.asked', '1')
    Object.defineProperty(navigator, 'connection', { value: { saveData: isSparing } })
  }, saveData)
  await page.goto(url, { waitUntil: 'load' })
  await page.locator('#app[data-ahead][data-live]').waitFor({ state: 'attached' })
  await page.waitForTimeout(4_000)
  const times = watch(page)
  await page.locator(FILTERS).tap()
  const found = await times
  await context.close()
  return found
}

/** From the tap until a dialog is open, and until the app responds in its place. */
function watch(page: Page): Promise<Times> {
  return page.evaluate(
    () =>
      new Promise<Times>((resolve) => {
        let start = 0
        let open = 0
        const look = () => {
          if (!open && document.querySelector('dialog[open]')) open = performance.now() - start
          if (open && !document.querySelector('#app[data-ahead]')) resolve({ open, taken: performance.now() - start })
          else requestAnimationFrame(look)
        }
        const begin = (event: Event) => {
          start = event.timeStamp
          requestAnimationFrame(look)
        }
        addEventListener('click', begin, { capture: true, once: true })
      }),
  )
}
