import type { Page } from '@playwright/test'

/** The longest time between two frames of the page during an action, in ms. */
export async function longestFrame(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const watch = { on: true, longest: 0 }
    let before = performance.now()
    const frame = (now: number) => {
      watch.longest = Math.max(watch.longest, now - before)
      before = now
      if (watch.on) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    Object.assign(window, { watch })
  })
  await act()
  return page.evaluate(() => {
    const { watch } = window as unknown as { watch: { on: boolean; longest: number } }
    watch.on = false
    return watch.longest
  })
}
