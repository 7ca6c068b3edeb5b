import type { Page } from '@playwright/test'
import { createApi } from '@rackfair/sdk'
import { Bitmap } from 'qr'
import { _tests as qr } from 'qr/decode.js'
import { create, purchaseUrl, success } from './buyerTest.ts'
import { isAccessible } from './isAccessible.ts'
import { expect, test } from './relayTest.ts'

test('connects a phone by QR code, signs in, buys, stays connected over a reload, and ends the session', async ({
  page,
  market,
  provider,
  relay,
  phone,
}) => {
  await createApi({ baseUrl: market.url }).faucet(phone.account.address)
  const before = relay.visitors
  const code = page.waitForResponse(/\/assets\/session-[^/]+\.js$/)
  await page.goto(purchaseUrl({ market, provider, node: 1 }))
  await page.mouse.move(300, 300)
  await code
  await page.waitForLoadState('networkidle')
  expect(relay.visitors).toBe(before)

  await phone.scan(await codeOn(page))
  await signIn(page)
  const short = `${phone.account.address.slice(0, 4)}…${phone.account.address.slice(-4)}`
  const account = page.getByRole('button', { name: `Account: ${short}` })
  await expect(account).toBeVisible()
  expect(phone.asked).toEqual(['personal_sign'])

  phone.declines = 'eth_signTypedData_v4'
  await create(page).click()
  await expect.poll(() => phone.asked.at(-1)).toBe('eth_signTypedData_v4')
  await expect(create(page)).toBeEnabled()
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.reload()
  await expect(account).toBeVisible()
  await create(page).click()
  await expect(success(page)).toBeVisible()
  expect(phone.asked.slice(-2)).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction'])
  await success(page).getByRole('button', { name: 'Go to My orders' }).click()

  await phone.disconnect()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })).toBeVisible()
})

test('ends the session on the phone when disconnected in the page', async ({ page, market, phone }) => {
  await page.goto(`${market.url}/status`)
  await phone.scan(await codeOn(page))
  await signIn(page)
  await expect.poll(() => phone.sessions).toBe(1)
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })).toBeVisible()
  await expect.poll(() => phone.sessions).toBe(0)
})

test('ends the instructions for a phone’s wallet at its QR code', async ({ page, market, phone }) => {
  await page.goto(`${market.url}/status`)
  await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'MetaMask' }).click()
  await dialog.getByRole('button', { name: /For your phone/ }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('listitem').last()).toHaveText(/Scan the code/)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(code(page)).toBeVisible()
  await dialog.getByRole('button', { name: 'Back', exact: true }).click()
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await phone.scan(await scanned(page))
  await signIn(page)
})

test('is silent when a phone declines, and connects with the next code', async ({ page, market, phone }) => {
  await page.goto(`${market.url}/status`)
  const first = await codeOn(page)
  await phone.scan(first, 'decline')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('closed in your wallet')
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeHidden()
  await dialog.getByRole('button', { name: 'WalletConnect' }).click()
  const second = await scanned(page)
  expect(second).not.toBe(first)
  await phone.scan(second)
  await signIn(page)
})

test('disconnects a phone without this network, with instructions to add it, and connects with it', async ({
  page,
  market,
  phone,
}) => {
  phone.chainId = 1
  await page.goto(`${market.url}/status`)
  await phone.scan(await codeOn(page))
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Add it in the wallet, then try again')
  await expect(dialog).toContainText(`Rackfair Dev · 2985 · RACK ${market.rpcUrl}`)
  await isAccessible(page)
  await expect.poll(() => phone.sessions).toBe(0)
  phone.chainId = 2985
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await phone.scan(await scanned(page))
  await signIn(page)
})

test('signs in on a phone that changes its network, after adding and switching to the right one', async ({
  page,
  market,
  phone,
}) => {
  await page.goto(`${market.url}/status`)
  await phone.scan(await codeOn(page))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await phone.switchTo(1)
  await signIn(page)
  phone.networks.delete(2985)
  await page.getByRole('button', { name: 'Wrong network' }).filter({ visible: true }).click()
  await dialog.getByRole('button', { name: /Dev/ }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Network: Dev 2985' })).toBeVisible()
  const [change, learn] = ['wallet_switchEthereumChain', 'wallet_addEthereumChain']
  expect(phone.asked).toEqual(['personal_sign', change, learn, change])
})

test('expires the code after five minutes without a response, and makes another on Retry', async ({ page, market, phone }) => {
  await page.clock.install()
  await page.goto(`${market.url}/status`)
  const first = await codeOn(page)
  await phone.scan(first, 'ignore')
  await page.clock.fastForward('05:10')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'WalletConnect did not connect' })).toBeVisible()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Retry' }).click()
  expect(await scanned(page)).not.toBe(first)
})

test('reports a relay that does not respond after 20 s, and continues on Retry', async ({ page, market, relay, phone }) => {
  relay.silent = true
  await page.clock.install()
  await page.goto(`${market.url}/status`)
  const opened = page.waitForEvent('websocket', (socket) => socket.url().startsWith(relay.url))
  const asked = opened.then((socket) => socket.waitForEvent('framesent'))
  await choose(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Preparing the code')
  // The timeout starts once the wallet's code is there, so the clock may only jump after its first request.
  await asked
  await page.clock.fastForward('00:21')
  await expect(dialog).toContainText('The relay did not answer')
  relay.silent = false
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await phone.scan(await scanned(page))
  await signIn(page)
})

test('shows a smaller code on a phone, with a link to the wallet app', async ({ page, market }) => {
  await page.goto(`${market.url}/status`)
  const uri = await codeOn(page)
  await expect(code(page)).toHaveJSProperty('clientWidth', 256)
  await expect(page.getByRole('link', { name: 'Open the app' })).toBeHidden()
  await page.setViewportSize({ width: 767, height: 740 })
  await expect(code(page)).toHaveJSProperty('clientWidth', 224)
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(page.getByRole('link', { name: 'Open the app' })).toHaveAttribute('href', uri)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await isAccessible(page)
})

const code = (page: Page) => page.getByRole('img', { name: 'QR code of the connection' })

async function choose(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'WalletConnect' }).click()
}

/** Chooses WalletConnect and returns the URI in its QR code, which the link next to it also copies. */
async function codeOn(page: Page): Promise<string> {
  await choose(page)
  const uri = await scanned(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(uri)
  return uri
}

/** Decodes the QR code on the screen. The positions of its modules are known: locating them in a picture is not tested here. */
async function scanned(page: Page): Promise<string> {
  await code(page).waitFor()
  const modules = await code(page).evaluate((drawing) => (drawing as SVGSVGElement).viewBox.baseVal.width)
  const side = modules * PIXELS
  await setStyle(page, `position: fixed; inset: 0; width: ${side}px; height: ${side}px`)
  const png = await code(page).screenshot()
  await setStyle(page, '')
  const bench = await page.context().newPage()
  const rows = await bench.evaluate(darkCells, { base64: png.toString('base64'), cell: PIXELS })
  await bench.close()
  const bitmap = new Bitmap(modules - 2 * QUIET)
  for (let y = 0; y < bitmap.height; y++)
    for (let x = 0; x < bitmap.width; x++) bitmap.set(x, y, rows[y + QUIET]?.[x + QUIET] === '1')
  return qr.decodeBitmap(bitmap)
}

const PIXELS = 10
const QUIET = 2

async function setStyle(page: Page, style: string): Promise<void> {
  await code(page).evaluate((drawing, text) => drawing.setAttribute('style', text), style)
}

/**
 * Runs in the page: each row of cells, 1 for dark and 0 for light, by the pixel in the middle of each. All pixels would be half a million
 * answers.
 */
async function darkCells({ base64, cell }: { base64: string; cell: number }): Promise<string[]> {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  const context = canvas.getContext('2d')
  context?.drawImage(picture, 0, 0)
  const pixels = context?.getImageData(0, 0, picture.width, picture.height).data ?? []
  const middle = (index: number) => (index + 0.5) * cell
  const isDark = (x: number, y: number) => (pixels[(middle(y) * picture.width + middle(x)) * 4 + 1] ?? 255) < 128
  const cells = (length: number) => Array.from({ length: Math.floor(length / cell) }, (_, index) => index)
  return cells(picture.height).map((y) =>
    cells(picture.width)
      .map((x) => (isDark(x, y) ? '1' : '0'))
      .join(''),
  )
}

async function signIn(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await expect(dialog).toBeHidden()
}
