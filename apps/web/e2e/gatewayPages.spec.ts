import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { CHROMIUM } from '@rackfair/testkit'
import { sendAsset } from '../../agent/src/doors/gateway/assets.ts'
import { type Page, sendPage } from '../../agent/src/doors/gateway/page.ts'
import { createPages } from '../../agent/src/doors/gateway/pages.ts'
import type { Visit } from '../../agent/src/orders/createVisits.ts'
import { loadCatalog } from '../../agent/src/presets/loadCatalog.ts'
import { isAccessible } from './isAccessible.ts'
import { type Look, takeOne } from './takePicture.ts'

const UBUNTU = 3
const START = fileURLToPath(new URL('../../../presets/images/nginx/root/usr/local/bin/rackfair-web', import.meta.url))
const LOOKS: readonly Look[] = (['en', 'zh'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((theme) => ([1280, 360] as const).map((width) => [locale, theme, width] as const)),
)

const preset = loadCatalog().get(UBUNTU)
if (!preset) throw new Error('the catalogue has no ubuntu')
const visit: Visit = {
  ...{ orderId: 12n, user: lowerCaseAddress('0x0'), preset, phase: 'Running', code: undefined, upstream: undefined, slot: 1 },
}
const pages = createPages('https://market.example')
/** All pages that a visitor can get from a gateway, except the terminal. */
const GATEWAY: Record<string, Page> = {
  '/nothing': pages.notHere(),
  '/wrong-door': pages.otherAddress(),
  '/mismatch': pages.mismatch(),
  '/needs-origin': pages.needsOrigin(),
  '/ended': pages.ended(),
  '/starting': pages.starting('Pulling'),
  '/silent': pages.silent(visit),
  '/crowded': pages.crowded(),
  '/failed': pages.failed('image_missing'),
  '/sign-in': pages.signIn(visit, { nonce: 'once', time: 1, text: 'Sign in' }),
}
/** Addresses at which an application answers. */
const ANSWERS = new Set<string>()
/** The pages shown in docs/screens.md. */
const PICTURES: Record<string, string> = {
  '/sign-in': '27-gateway-sign-in',
  '/failed': '28-gateway-failed',
  '/first': '29-first-page',
}

let server: Server
let url: string

test.skip(!existsSync(CHROMIUM), `no Chromium at ${CHROMIUM}`)
test.beforeAll(async () => {
  const first = firstPage()
  server = createServer((request, response) => {
    const path = request.url ?? ''
    const page = GATEWAY[path]
    if (page) sendPage(request, response, page)
    else if (path === '/first') response.setHeader('content-type', 'text/html').end(first)
    else if (ANSWERS.has(path)) response.setHeader('content-type', 'text/plain').end('Here it is')
    else if (!sendAsset(path, response)) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.afterAll(() => server?.close())

for (const look of LOOKS) {
  const [locale, theme, width] = look
  test(`shows the pages of a gateway and the first page of a web server in ${locale}, ${theme}, ${width} px`, {
    tag: '@long',
  }, async ({ browser }) => {
    const context = await browser.newContext({
      ...{ locale: locale === 'zh' ? 'zh-CN' : 'en-US', colorScheme: theme, viewport: { width, height: 740 } },
    })
    const page = await context.newPage()
    const elsewhere: string[] = []
    page.on('request', (request) => request.url().startsWith(`${url}/`) || elsewhere.push(request.url()))
    for (const path of [...Object.keys(GATEWAY), '/first']) {
      await page.goto(url + path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const text = GATEWAY[path]?.words[locale].text
      if (text) await expect(page.getByRole('main')).toContainText(text)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width)
      await test.step(path, () => isAccessible(page))
      if (PICTURES[path] && (path !== '/first' || locale === 'en')) await takeOne(page, PICTURES[path], look)
    }
    expect(elsewhere).toEqual([])
    await context.close()
  })
}

test('updates a waiting page, and shows the application once it responds', async ({ page }) => {
  GATEWAY['/app'] = pages.starting('Pulling')
  await page.goto(`${url}/app`)
  const main = page.getByRole('main')
  await expect(main).toContainText('Its image is being fetched.')
  await main.evaluate((element) => element.setAttribute('data-same', ''))
  GATEWAY['/app'] = pages.starting('Starting')
  await expect(main).toContainText('It is not ready yet.')
  await expect(main).toHaveAttribute('data-same')
  delete GATEWAY['/app']
  ANSWERS.add('/app')
  await expect(page.getByText('Here it is')).toBeVisible()
})

/** As the image's own script writes it, but into another folder. */
function firstPage(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-first-page-'))
  try {
    const script = readFileSync(START, 'utf8').replaceAll('/srv/www', folder)
    const env = { PATH: process.env.PATH, SERVER_NAME: 'nginx' }
    execFileSync('sh', ['-c', script, 'rackfair-web', 'true'], { env })
    return Buffer.from(readFileSync(join(folder, 'index.html'), 'utf8').replaceAll(folder, '/srv/www'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
