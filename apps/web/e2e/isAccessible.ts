import { expect, type Page, test } from '@playwright/test'
import { axeFindings } from '@rackfair/testkit'
import { speak } from './speak.ts'

/** No finding of axe on the page as it stands. */
export async function isAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([])
}

type Look = readonly [locale: 'en' | 'zh', theme: 'light' | 'dark', width: 1280 | 360]

/** Each language with each theme, and each of both on a large and on a small screen. */
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

/** Both languages, themes and widths in two looks: which two comes from the seed of the run and the place. */
function twoOpposites(place: number): readonly Look[] {
  const look = FOUR[(Number(process.env.RACKFAIR_SEED ?? 0) + place) % FOUR.length] as Look
  return [look, oppositeOf(look)]
}

/** What a long walk is gone through in. */
export const LOOKS_OF_A_WALK: readonly Look[] = isDeep ? EIGHT : twoOpposites(0)

const times = new WeakMap<object, number>()
/** A look takes as long as a load: all eight are for the deep run, else a whole screen has four, and one state of it two. */
function looksOf(wholeScreen: boolean): readonly Look[] {
  if (isDeep) return EIGHT
  if (wholeScreen) return FOUR
  const info = test.info()
  const time = (times.get(info) ?? 0) + 1
  times.set(info, time)
  return twoOpposites([...info.title].reduce((sum, letter) => sum + letter.charCodeAt(0), time))
}

/**
 * The same of what is open on the page now, in both languages and themes, and nothing is wider than a phone. The page is English, light
 * and large again after.
 */
export async function isAccessibleInEveryLook(
  page: Page,
  { widths = [1280, 360], wholeScreen = false }: { widths?: readonly number[]; wholeScreen?: boolean } = {},
): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const [locale, colorScheme, wanted] of looksOf(wholeScreen)) {
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
