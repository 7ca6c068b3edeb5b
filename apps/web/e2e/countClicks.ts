import type { Page } from '@playwright/test'

/** Counts clicks in the page from now on, across navigations. Returns a function for the count so far. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  // At the document: Playwright ends at the window a click whose target has moved meanwhile, and makes it again.
  await page.addInitScript(() =>
    document.addEventListener(
      'click',
      (event) => event.isTrusted && (window as unknown as { countClick: () => void }).countClick(),
      true,
    ),
  )
  return () => clicks
}
