import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Market, startMarket } from './startMarket.ts'

/** Build output with extreme pages: as simple, as broken and as endless as a page can be. */
const RENDER = `export async function renderPage({ path, locale, html }) {
  if (path === '/broken') throw new Error('this page is broken')
  if (path === '/endless') for (;;);
  const { global } = await (await fetch('/v1/global')).json()
  return html.replace('<p>', '<p>' + locale + ' ' + global.cpNumber + ' providers ')
}`
const EMPTY = `<!doctype html><p></p>${' '.repeat(2000)}`
const folder = mkdtempSync(join(tmpdir(), 'rackfair-pages-'))
let market: Market

beforeAll(async () => {
  mkdirSync(join(folder, '.server'))
  const paths = ['/', '/broken', '/endless']
  writeFileSync(join(folder, 'index.html'), '<!doctype html><p>as it was built</p>')
  writeFileSync(join(folder, 'paths.json'), JSON.stringify(paths))
  writeFileSync(join(folder, '.server', 'render.mjs'), RENDER)
  writeFileSync(join(folder, '.server', 'pages.json'), JSON.stringify(Object.fromEntries(paths.map((path) => [path, EMPTY]))))
  market = await startMarket({ webFolder: folder })
}, 200_000)
afterAll(async () => {
  await market.stop()
  rmSync(folder, { recursive: true, force: true })
})

const BUILT = /as it was built/
/** A busy machine may need longer for the first page than a visitor waits. */
const drawn = (path: string, text: RegExp, init?: RequestInit) =>
  expect.poll(async () => (await market.get<string>(path, init)).body, { timeout: 60_000 }).toMatch(text)

it('renders a public page with its data, in the visitor’s language', async () => {
  await drawn('/', /<p>en 0 providers /)
  await drawn('/', /<p>zh 0 providers /, { headers: { cookie: 'a=b; rackfair.locale=zh' } })
  await drawn('/', /<p>zh 0 providers /, { headers: { 'accept-language': 'fr, zh-CN;q=0.9, en;q=0.8' } })
  await drawn('/', /<p>en 0 providers /, { headers: { 'accept-language': 'zh-CN', cookie: 'rackfair.locale=en' } })
  const { headers } = await market.get('/')
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept-encoding, accept-language, cookie',
    'content-encoding': 'gzip',
    'x-content-type-options': 'nosniff',
  })
  const again = await market.get('/', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})

it('renders it again when the market changes', async () => {
  await drawn('/', / 0 providers /)
  await market.act.becomeProvider()
  await drawn('/', / 1 providers /)
})

it('serves the prerendered page for a query, and keeps the renderer’s files private', async () => {
  expect((await market.get('/?text=rtx')).body).toMatch(BUILT)
  for (const file of ['render.mjs', 'pages.json'])
    expect([file, (await market.get(`/.server/${file}`)).status]).toEqual([file, 404])
})

it('serves the prerendered page if rendering fails or times out, and keeps serving others', async () => {
  expect((await market.get('/broken')).body).toMatch(BUILT)
  const before = Date.now()
  expect((await market.get('/endless')).body).toMatch(BUILT)
  expect(Date.now() - before).toBeLessThan(9_000)
  expect((await market.get('/v1/global')).status).toBe(200)
  await drawn('/', / providers /)
}, 100_000)
