import { expect, type Page } from '@playwright/test'
import { axeFindings } from '@rackfair/testkit'
import { speak } from './speak.ts'

/** No finding of axe on the page as it stands. */
export async function isAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([])
}

/** Each language with each theme, and each of both on a large and on a small screen. */
const LOOKS = [
  ['zh', 'light', 1280],
  ['en', 'dark', 1280],
  ['zh', 'dark', 360],
  ['en', 'light', 360],
] as const

/** The same of what is open on the page now, in every language and theme, and nothing is wider than a phone. The page is English, light and large again after. */
export async function isAccessibleInEveryLook(page: Page, widths: readonly number[] = [1280, 360]): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const [locale, colorScheme, wanted] of LOOKS) {
    const width = widths.includes(wanted) ? wanted : (widths[0] ?? before.width)
    await page.setViewportSize({ width, height: before.height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await speak(page, locale)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await isAccessible(page)
  }
  await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
  await speak(page, 'en')
}
