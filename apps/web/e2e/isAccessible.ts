import { expect, type Page, test } from '@playwright/test'
import { axeFindings } from '@rackfair/testkit'
import { speak } from './speak.ts'

/** Axe finds no violation on the page in its current state. */
export async function isAccessible(page: Page): Promise<void> {
  await hasContent(page)
  expect(await axeFindings(page)).toEqual([])
}

type Look = readonly [locale: 'en' | 'zh', theme: 'light' | 'dark', width: 1280 | 360]

/** Each language with each theme, both on a large and on a small screen. */
const FOUR: readonly Look[] = [
  ['zh', 'light', 1280],
  ['en', 'dark', 1280],
  ['zh', 'dark', 360],
  ['en', 'light', 360],
]
const oppositeOf = ([locale, theme, width]: Look): Look => [
  locale === 'en' ? 'zh' : 'en',
  theme === 'light' ? 'dark' : 'light',
  width === 360 ? 1280 : 360,
]
const EIGHT: readonly Look[] = [...FOUR, ...FOUR.map(oppositeOf)]
const isDeep = process.env.RACKFAIR_DEEP === '1'

/** Covers both languages, themes and widths in two passes; the seed of the run and the place decide which two. */
function twoOpposites(place: number): readonly Look[] {
  const look = FOUR[(Number(process.env.RACKFAIR_SEED ?? 0) + place) % FOUR.length] as Look
  return [look, oppositeOf(look)]
}

/** The variants of a long walk. */
export const LOOKS_OF_A_WALK: readonly Look[] = isDeep ? EIGHT : twoOpposites(0)

const times = new WeakMap<object, number>()
/** A pass takes as long as a page load: the deep run makes all eight, otherwise two. */
function looksHere(): readonly Look[] {
  if (isDeep) return EIGHT
  const info = test.info()
  const time = (times.get(info) ?? 0) + 1
  times.set(info, time)
  return twoOpposites([...info.title].reduce((sum, letter) => sum + letter.charCodeAt(0), time))
}

/**
 * Checks the same for the open page, in both languages and themes, and that nothing is wider than a phone. Restores the page to English,
 * light and large.
 */
export async function isAccessibleInEveryLook(
  page: Page,
  { widths = [1280, 360] }: { widths?: readonly number[] } = {},
): Promise<void> {
  await hasContent(page)
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const [locale, colorScheme, wanted] of looksHere()) {
    const width = widths.includes(wanted) ? wanted : (widths[0] ?? before.width)
    const look = `${new URL(page.url()).pathname}, ${locale}, ${colorScheme}, ${width} px`
    await page.setViewportSize({ width, height: before.height })
    await page.emulateMedia({ colorScheme })
    await speak(page, locale)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), look).toBeLessThanOrEqual(width)
    await test.step(look, () => isAccessible(page))
  }
  await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light' })
  await speak(page, 'en')
}

/** A page that the platform does not render is empty until the app is there. */
const hasContent = (page: Page): Promise<void> => page.locator('h1').first().waitFor({ state: 'attached' })
