import { expect, type Page, test } from '@playwright/test'
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

/** Every language with every theme, on a large and on a small screen. The language changes last: it takes the longest. */
export const ALL_LOOKS = (['en', 'zh'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) => [1280, 360].map((width) => [locale, colorScheme, width] as const)),
)

interface LookOptions {
  widths?: readonly number[]
  looks?: readonly (readonly ['en' | 'zh', 'light' | 'dark', number])[]
}

/** The same of what is open on the page now, in every language and theme, and nothing is wider than a phone. The page is English, light and large again after. */
export async function isAccessibleInEveryLook(
  page: Page,
  { widths = [1280, 360], looks = LOOKS }: LookOptions = {},
): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const [locale, colorScheme, wanted] of looks) {
    const width = widths.includes(wanted) ? wanted : (widths[0] ?? before.width)
    const look = `${new URL(page.url()).pathname}, ${locale}, ${colorScheme}, ${width} px`
    await page.setViewportSize({ width, height: before.height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await speak(page, locale)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), look).toBeLessThanOrEqual(width)
    await test.step(look, () => isAccessible(page))
  }
  await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
  await speak(page, 'en')
}
