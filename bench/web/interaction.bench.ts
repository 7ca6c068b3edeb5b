import type { Page } from '@playwright/test'
import { table } from '../platform/table.ts'
import { longestFrame } from './longestFrame.ts'
import { openBrowser } from './openBrowser.ts'
import { readAllMachines } from './readAllMachines.ts'
import { withManyMachines } from './withManyMachines.ts'

/**
 * From an interaction to the next paint on the node list with all of 10,000 machines loaded, by the browser's own event timing, which has a
 * resolution of 8 ms. Scrolling is not such an interaction: for it, the longest time between two frames is shown. Goal: under 100 ms. The
 * second column is the same with the processor slowed down four times, as Lighthouse does for a phone.
 */
const NODES = 10_000
const GOAL_MS = 100

const INTERACTIONS: Record<string, (page: Page) => Promise<void>> = {
  scroll: async (page) => {
    await page.mouse.move(800, 500)
    for (let step = 0; step < 40; step += 1) {
      await page.mouse.wheel(0, step < 20 ? 1500 : -1500)
      await page.waitForTimeout(30)
    }
  },
  'sort by a column': async (page) => {
    await page.getByRole('columnheader').getByRole('button', { name: 'GPU', exact: true }).click()
    await page.waitForTimeout(1500)
  },
  'filter by a model': async (page) => {
    const model = page.getByRole('checkbox', { name: 'RTX 3090' })
    await model.click({ force: true })
    await page.waitForTimeout(1500)
    await model.click({ force: true })
    await page.waitForTimeout(1500)
  },
  'type in the search': async (page) => {
    const search = page.getByRole('searchbox')
    await search.click()
    await search.pressSequentially('provider 42', { delay: 90 })
    await page.waitForTimeout(1500)
    await search.fill('')
    await page.waitForTimeout(1500)
  },
}

await withManyMachines(NODES, async (url) => {
  const browser = await openBrowser()
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await readAllMachines(page, url, NODES)
  const devtools = await page.context().newCDPSession(page)
  const slowest = new Map<string, number[]>()
  for (const rate of [1, 4]) {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate })
    for (const [name, act] of Object.entries(INTERACTIONS)) {
      const ms = name === 'scroll' ? await longestFrame(page, () => act(page)) : await nextPaint(page, () => act(page))
      slowest.set(name, [...(slowest.get(name) ?? []), ms])
    }
  }
  await browser.close()
  const rows = [...slowest].map(([name, [plain = 0, slow = 0]]) => [
    name,
    ms(plain),
    ms(slow),
    plain < GOAL_MS ? 'met' : 'missed',
  ])
  table(['interaction', 'ms', 'ms, slowed down 4 times', `goal ${GOAL_MS} ms`], rows)
})

async function nextPaint(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const seen: number[] = []
    const watcher = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ((entry as PerformanceEventTiming).interactionId > 0) seen.push(entry.duration)
    })
    watcher.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    Object.assign(window, { seen, watcher })
  })
  await act()
  return page.evaluate(() => {
    const { seen, watcher } = window as unknown as { seen: number[]; watcher: PerformanceObserver }
    watcher.disconnect()
    return Math.max(0, ...seen)
  })
}

function ms(value: number): string {
  return value === 0 ? '< 16' : value.toFixed(0)
}
