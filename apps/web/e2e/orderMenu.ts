import type { Page } from '@playwright/test'

/** Runs an action of an order from the menu on its page. */
export async function pressMore(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}
