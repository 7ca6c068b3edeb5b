import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import { speak } from './speak.ts'

const require = createRequire(import.meta.url)
const AXE = readFileSync(createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8')

/** As axe is known in a page; no page has frames, so it is brought there once and asked directly. */
interface Axe {
  run(context: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

/** No finding of axe on the page as it stands. */
export async function isAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const findings = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe }
    // Only the rule about a locked orientation needs every style sheet read again, and no style sheet asks for the orientation.
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
  })
  expect(findings).toEqual([])
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
