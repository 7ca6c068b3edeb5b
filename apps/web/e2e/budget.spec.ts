import { gzipSync } from 'node:zlib'
import { expect, test } from './test.ts'

/** Bytes of JavaScript, gzip, of a public page without wallet code (`README.md` of the repository, budgets). */
const PUBLIC_PAGE = 85_000
const WALLET = 95_000

for (const path of ['/', '/status', '/nodelist'])
  test(`the first load of ${path} stays within its budget, and so does the wallet`, async ({ page, market }) => {
    const scripts = new Map<string, number>()
    page.on('response', async (response) => {
      if (response.request().resourceType() !== 'script') return
      scripts.set(response.url(), gzipSync(await response.body(), { level: 9 }).length)
    })
    await page.addInitScript(() => {
      sessionStorage.setItem('rackfair.asked', '1')
      window.requestIdleCallback = (arrive) => {
        window.addEventListener('load-the-wallet', () => arrive({ didTimeout: false, timeRemaining: () => 1 }), { once: true })
        return 0
      }
    })
    await page.goto(market.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForTimeout(1500)
    const first = sum(scripts)
    await page.evaluate(() => window.dispatchEvent(new Event('load-the-wallet')))
    await expect.poll(() => [...scripts.keys()].some((url) => /\/runtime-/.test(url))).toBe(true)
    await page.waitForTimeout(1500)
    console.log(`${path}: ${first} bytes of JavaScript, wallet ${sum(scripts) - first} more (gzip)`)
    expect(first).toBeLessThanOrEqual(PUBLIC_PAGE)
    expect(sum(scripts) - first).toBeLessThanOrEqual(WALLET)
  })

function sum(scripts: ReadonlyMap<string, number>): number {
  return [...scripts.values()].reduce((total, size) => total + size, 0)
}
