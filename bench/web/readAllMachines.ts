import type { Page } from '@playwright/test'

/** Opens the node list and scrolls until its last page has been loaded. */
export async function readAllMachines(page: Page, url: string, machines: number): Promise<void> {
  await page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
  await page.goto(`${url}/nodelist`)
  await page.getByRole('row').nth(5).waitFor()
  const last = page.locator(`tr[aria-rowindex="${machines + 1}"]`)
  for (let step = 0; step < 400 && (await last.count()) === 0; step += 1) {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.waitForTimeout(50)
  }
  if ((await last.count()) === 0) throw new Error('The list did not reach its end')
  await page.evaluate(() => window.scrollTo(0, 0))
}
