import { isAccessible } from './isAccessible.ts'
import { expect, test } from './relayTest.ts'
import { walkWallet } from './walkWallet.ts'

// Each walk takes as long as a whole file of others.
test.describe.configure({ mode: 'parallel' })

// Each language with each theme, and each of both on a large and on a small screen.
for (const [locale, colorScheme, width] of [
  ['en', 'light', 1280],
  ['zh', 'dark', 1280],
  ['zh', 'light', 360],
  ['en', 'dark', 360],
] as const)
  test(`no state of the wallet has an axe finding or is too wide: ${locale}, ${colorScheme}, ${width} px`, async ({
    page,
    market,
    wallet,
  }) => {
    await page.setViewportSize({ width, height: 760 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const seen: string[] = []
    const look = async (state: string) => {
      seen.push(state)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await isAccessible(page)
    }
    await walkWallet({ page, market, wallet, locale, look })
    expect(seen).toHaveLength(30)
  })
