import type { Page } from '@playwright/test'

/** Counts what is clicked in the page from now on, whatever is loaded into it. Answers the clicks so far. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  await page.addInitScript(() =>
    addEventListener('click', (event) => event.isTrusted && (window as unknown as { countClick: () => void }).countClick(), true),
  )
  return () => clicks
}
