import type { Page } from '@playwright/test'
import { buy, expect, purchaseUrl, test } from './buyerTest.ts'
import { speak } from './speak.ts'
import { openConnected } from './test.ts'

test('covers no control that has the focus, and is no wider than the window, at 200 % zoom', { tag: '@long' }, async ({
  start,
  page,
}) => {
  const { market, provider, node, wallet } = start
  const order = await buy(start)
  await page.setViewportSize({ width: 640, height: 360 })
  const screens = [
    '/',
    '/nodelist',
    `/machine?provider=${provider.address}&node=${node + 1}`,
    purchaseUrl({ ...start, market: { url: '' }, node: node + 1 }),
    `/orderinfo?id=${order}`,
    '/addprovider',
    '/keys',
  ]
  const found: Record<string, unknown> = {}
  for (const [index, path] of screens.entries()) {
    await openConnected(page, wallet, market.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await speak(page, index % 2 === 0 ? 'en' : 'zh')
    found[path] = await hidden(page)
    await speak(page, 'en')
  }
  expect(found).toEqual(Object.fromEntries(screens.map((path) => [path, []])))
})

/** Controls of which nothing can be seen once they have the focus, and what makes the page too wide. */
function hidden(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) =>
      `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)}`
    const isSeen = (control: HTMLElement) => {
      control.focus()
      const shown = control.closest('label') ?? control
      const { left, top, width, height } = shown.getBoundingClientRect()
      return [0.1, 0.5, 0.9].some((across) =>
        [0.1, 0.5, 0.9].some((down) => {
          const hit = document.elementFromPoint(left + width * across, top + height * down)
          return hit !== null && (shown.contains(hit) || hit.contains(shown))
        }),
      )
    }
    const controls = [
      ...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
    ]
    const covered = controls.filter(
      (control) =>
        control.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
        control.getClientRects().length > 0 &&
        !isSeen(control),
    )
    const wide =
      document.documentElement.scrollWidth > window.innerWidth ? [`${document.documentElement.scrollWidth} px wide`] : []
    return [...wide, ...covered.map(nameOf)]
  })
}
