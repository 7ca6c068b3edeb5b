import { existsSync, rmSync } from 'node:fs'
import { type Browser, chromium } from '@playwright/test'
import { axeFindings, CHROMIUM, CHROMIUM_LAUNCH } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderOf, PAGES } from './site.ts'
import { builtSite } from './testing/builtSite.ts'
import { serveSite } from './testing/serveSite.ts'

/** Every page once in each language; the seed decides which language has which look. The deep run makes all four. */
const ALL = [
  ['light', 360, 'en'],
  ['dark', 1280, 'zh'],
  ['light', 360, 'zh'],
  ['dark', 1280, 'en'],
] as const
const first = (Number(process.env.RACKFAIR_SEED ?? 0) % 2) * 2
const LOOKS = process.env.RACKFAIR_DEEP === '1' ? ALL : ALL.slice(first, first + 2)

describe.skipIf(!existsSync(CHROMIUM))(`in a browser (needs ${CHROMIUM})`, () => {
  const site = builtSite()
  let server: Awaited<ReturnType<typeof serveSite>>
  let browser: Browser
  beforeAll(async () => {
    server = await serveSite(site.dir)
    browser = await chromium.launch(CHROMIUM_LAUNCH)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(site.dir, { recursive: true })
  })

  test.each(LOOKS)(
    '%s at %i px, %s: no axe violation, no horizontal overflow, no policy violation',
    async (theme, width, language) => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme })
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      for (const name of PAGES) {
        await page.goto(server.url + folderOf(language, name))
        expect(await axeFindings(page), name).toEqual([])
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
        expect(overflow, name).toBe(0)
      }
      expect(complaints).toEqual([])
      await context.close()
    },
    400_000,
  )

  test('navigates by one button on a phone', async () => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    const page = await context.newPage()
    await page.goto(server.url)
    await page.getByText('Pages', { exact: true }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'For providers' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('For providers')
    await page.getByRole('link', { name: '中文' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('供应商指南')
    await context.close()
  })
})
