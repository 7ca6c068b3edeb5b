import { isAccessible, LOOKS_OF_A_WALK } from './isAccessible.ts'
import { expect, test } from './relayTest.ts'
import { walkWallet } from './walkWallet.ts'

// Each walk takes as long as a whole file of other tests.
test.describe.configure({ mode: 'parallel' })

for (const [locale, colorScheme, width] of LOOKS_OF_A_WALK)
  test(`has no axe violation and fits the screen in any state of the wallet: ${locale}, ${colorScheme}, ${width} px`, async ({
    page,
    market,
    wallet,
  }) => {
    await page.setViewportSize({ width, height: 760 })
    await page.emulateMedia({ colorScheme })
    const seen: string[] = []
    const look = async (state: string) => {
      seen.push(state)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await isAccessible(page)
    }
    await walkWallet({ page, market, wallet, locale, look })
    expect(seen).toHaveLength(30)
  })
