import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** No finding of axe on the page as it stands. */
export async function isAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((finding) => `${finding.id}: ${finding.nodes.map((node) => node.html).join('\n')}`)).toEqual([])
}
