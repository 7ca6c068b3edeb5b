import type { Page } from '@playwright/test'

/** What moves in `page` without a visitor's doing, from the next page it loads; each with its score and the start of what moved. */
export async function recordShifts(page: Page): Promise<() => Promise<string[]>> {
  // As most visitors see it: with everything that moves.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.addInitScript(() => {
    const shifts: string[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node?: Node }[] })[])
        shifts.push(
          `${entry.value.toFixed(4)} ${entry.sources.map(({ node }) => (node as Element)?.outerHTML?.slice(0, 120) ?? node?.textContent).join(' | ')}`,
        )
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
}
