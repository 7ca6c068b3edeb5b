import type { Page } from '@playwright/test'

/** Layout shifts in `page` that no user input caused, from the next navigation on; each with its score and the start of what moved. */
export async function recordShifts(page: Page): Promise<() => Promise<string[]>> {
  // With animations, as most visitors see it.
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
