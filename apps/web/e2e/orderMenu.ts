import type { Page } from '@playwright/test'

/** Presses an action of an order that stands behind the dots of its own page. */
export async function pressMore(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}
