import { expect, type Locator, type Page } from '@playwright/test'

/**
 * The tab that a link opens, with its content. A network change during the load aborts its first request; it is then repeated, as a user
 * would.
 */
export async function followLink(link: Locator, shows: (tab: Page) => Locator): Promise<Page> {
  const [tab] = await Promise.all([link.page().context().waitForEvent('page'), link.click()])
  await expect(async () => {
    if (tab.url().startsWith('chrome-error:')) await tab.reload()
    await expect(shows(tab)).toBeVisible({ timeout: 20_000 })
  }).toPass({ timeout: 120_000 })
  return tab
}
