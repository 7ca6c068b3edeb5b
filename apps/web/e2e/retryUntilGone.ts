import { expect, type Locator, type Page } from '@playwright/test'

/** Presses Retry until the error is gone. Pages also refetch by themselves, so the button may disappear before it is pressed. */
export async function retryUntilGone(place: Page | Locator, error: Locator): Promise<void> {
  const retry = place.getByRole('button', { name: 'Retry' }).last()
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1000 })
    await expect(error).toHaveCount(0, { timeout: 2000 })
  }).toPass({ timeout: 60_000 })
}
