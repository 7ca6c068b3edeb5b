import type { Browser, Page } from '@playwright/test'
import { percentile, table } from '../platform/table.ts'
import { openBrowser } from './openBrowser.ts'
import { readAllMachines } from './readAllMachines.ts'
import { withManyMachines } from './withManyMachines.ts'

/**
 * Times between two frames during touch scrolling through the node list with all of 10,000 machines loaded, at a reading pace and at a
 * fling. For comparison, scrolled the same way and alternating: an empty page of the same height, which is the best that the machine can
 * do, and the first rows of the same list as plain HTML. Goal: 60 frames per second, wherever the empty page reaches them.
 */
const NODES = 10_000
const ROUNDS = 3
const PACES = [
  { name: 'reading', speed: 800, distance: 2_400 },
  { name: 'fling', speed: 6_000, distance: 18_000 },
] as const
/** A frame later than a 60 Hz screen would show the next one. */
const LATE_MS = 1000 / 60 + 4
/** The most rows that a drag passes. */
const PLAIN_ROWS = 450

await withManyMachines(NODES, async (url) => {
  const browser = await openBrowser()
  const list = await open(browser)
  await readAllMachines(list, url, NODES)
  const pages = {
    'node list': list,
    'the same rows as plain HTML': await plainRows(browser, list, url),
    'empty page': await emptyPage(browser, list),
  }
  const rows: (string | number)[][] = []
  for (const pace of PACES) {
    const frames = new Map<string, number[]>()
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, page] of Object.entries(pages))
        frames.set(name, [...(frames.get(name) ?? []), ...(await scroll(page, pace))])
    const rate = (name: string) => framesPerSecond(frames.get(name) ?? [])
    for (const [name, times] of frames)
      rows.push([
        ...[pace.name, name, rate(name).toFixed(1), (rate(name) / rate('empty page')).toFixed(2)],
        ...[percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)].map((ms) => ms.toFixed(1)),
        `${((times.filter((ms) => ms > LATE_MS).length / times.length) * 100).toFixed(1)} %`,
      ])
  }
  await browser.close()
  table(['scroll', 'page', 'frames/s', 'of the empty page', 'p50 ms', 'p95 ms', 'longest ms', 'late'], rows)
})

function open(browser: Browser): Promise<Page> {
  return browser.newPage({ viewport: { width: 1280, height: 800 } })
}

async function emptyPage(browser: Browser, list: Page): Promise<Page> {
  const page = await open(browser)
  const height = await list.evaluate(() => document.documentElement.scrollHeight)
  await page.setContent(`<div style="height:${height}px"></div>`)
  return page
}

/** What a page without virtual rows would be: the rendered rows, repeated, without scripts. */
async function plainRows(browser: Browser, list: Page, url: string): Promise<Page> {
  const html = await list.evaluate((count) => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement
    for (const script of copy.querySelectorAll('script')) script.remove()
    const rows = [...copy.querySelectorAll('tr[data-row]')]
    const body = rows[0]?.parentElement
    for (const part of copy.querySelectorAll('[data-block]')) if (part !== body) part.remove()
    for (let row = 0; row < count; row += 1) body?.append(rows[row % rows.length]?.cloneNode(true) ?? '')
    return copy.outerHTML
  }, PLAIN_ROWS)
  const page = await open(browser)
  await page.route(`${url}/plain`, (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html>${html}` }))
  await page.goto(`${url}/plain`, { waitUntil: 'load' })
  return page
}

/** Scrolls down and back up by touch; the times between frames in ms. */
async function scroll(page: Page, { speed, distance }: { speed: number; distance: number }): Promise<number[]> {
  await page.bringToFront()
  await page.evaluate(() => window.scrollTo(0, 0))
  const devtools = await page.context().newCDPSession(page)
  await page.evaluate(() => {
    const watch = { on: true, times: [] as number[] }
    let before: number | undefined
    const frame = (now: number) => {
      if (before !== undefined) watch.times.push(now - before)
      before = now
      if (watch.on) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    Object.assign(window, { watch })
  })
  for (const yDistance of [-distance, distance])
    await devtools.send('Input.synthesizeScrollGesture', { x: 640, y: 400, yDistance, speed, preventFling: true })
  await devtools.detach()
  return page.evaluate(() => {
    const { watch } = window as unknown as { watch: { on: boolean; times: number[] } }
    watch.on = false
    return watch.times
  })
}

function framesPerSecond(times: readonly number[]): number {
  return (1000 * times.length) / times.reduce((sum, ms) => sum + ms, 0)
}
