import type { Page } from '@playwright/test'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { TestWallet } from './TestWallet.ts'
import { connect, expect, openConnect, test } from './test.ts'

test('connects an unknown wallet, signs in, stays signed in after a reload, and disconnects', async ({
  page,
  market,
  wallet,
}) => {
  await page.goto(`${market.url}/myspace`)
  const dialog = page.getByRole('dialog')
  await openConnect(page)
  await expect(dialog.getByRole('list', { name: 'Installed' })).toContainText(wallet.name)
  expect(wallet.asked).not.toContain('eth_requestAccounts')
  await connect(page, wallet)
  const short = `${wallet.account.address.slice(0, 4)}…${wallet.account.address.slice(-4)}`
  const account = page.getByRole('button', { name: `Account: ${short}` })
  await expect(account).toBeVisible()
  await expect(page.getByRole('link', { name: 'My orders' })).toBeVisible()
  // Cookies would reach every port of this host, those of tenants too.
  expect((await page.context().cookies()).filter(({ name }) => name !== 'rackfair.locale')).toEqual([])

  const before = wallet.asked.filter((method) => method === 'personal_sign').length
  await page.reload()
  await expect(account).toBeVisible()
  expect(wallet.asked.filter((method) => method === 'personal_sign')).toHaveLength(before)

  await account.click()
  await expect(dialog).toContainText(wallet.account.address)
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'My orders' })).toBeHidden()
  await page.reload()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })).toBeVisible()
})

test('lists a wallet once that is announced and also at window.ethereum', async ({ page, market }) => {
  const wallet = new TestWallet(page, market.rpcUrl)
  await wallet.install({ announced: true, atWindow: true })
  await page.goto(`${market.url}/status`)
  await openConnect(page)
  await expect(page.getByRole('list', { name: 'Installed' }).getByRole('listitem')).toHaveText([wallet.name])
})

test('names a wallet found only at window.ethereum in the user’s language, until it announces its own name', async ({
  page,
  market,
}) => {
  const wallet = new TestWallet(page, market.rpcUrl)
  await wallet.install({ announced: false, atWindow: true })
  await page.goto(`${market.url}/status`)
  await page.evaluate(() => localStorage.setItem('rackfair.locale', 'zh'))
  await page.reload()
  const dialog = page.getByRole('dialog')
  await page.getByRole('banner').getByRole('button', { name: '连接钱包' }).click()
  const installed = dialog.getByRole('list', { name: '已安装' }).getByRole('listitem')
  await expect(installed).toHaveText(['浏浏览器钱包'])
  await installed.getByRole('button').click()
  await dialog.getByRole('button', { name: '签名' }).click()
  await page.getByRole('button', { name: /^账户/ }).filter({ visible: true }).click()
  await expect(dialog).toContainText(wallet.address)
  await dialog.getByRole('button', { name: '断开连接' }).click()

  await page.getByRole('banner').getByRole('button', { name: '连接钱包' }).click()
  await expect(installed).toHaveText(['浏浏览器钱包'])
  await wallet.announce()
  await expect(installed).toHaveText([wallet.name])
})

test('is silent when the user declines, and allows a retry', async ({ page, market, wallet }) => {
  wallet.refuseNext('eth_requestAccounts')
  await page.goto(`${market.url}/myspace`)
  const dialog = page.getByRole('dialog')
  await openConnect(page)
  await dialog.getByRole('button', { name: wallet.name }).click()
  const row = dialog.getByRole('button', { name: /closed in your wallet/ })
  await expect(row).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeHidden()
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeHidden()
  await row.click()

  wallet.refuseNext('personal_sign')
  const sign = dialog.getByRole('button', { name: 'Sign the message' })
  await sign.click()
  await expect.poll(() => wallet.asked.includes('personal_sign')).toBe(true)
  await expect(sign).toBeEnabled()
  await expect(dialog.getByRole('alert')).toBeHidden()
  await sign.click()
  await expect(dialog).toBeHidden()
})

test('allows another wallet while one does not respond, and accepts a late approval', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/myspace`)
  const dialog = page.getByRole('dialog')
  const opener = page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })
  const account = page.getByRole('button', { name: /^Account/ }).filter({ visible: true })
  await openConnect(page)
  const silent = wallet.hold('eth_requestAccounts')
  await dialog.getByRole('button', { name: wallet.name }).click()
  await silent.asked
  await page.keyboard.press('Escape')
  await expect(opener).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }).click()
  await dialog.getByRole('button', { name: /Development wallet/ }).click()
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await expect(account).toBeVisible()

  // One wallet at a time: the one approved last, and disconnecting leaves none behind.
  silent.release()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog).toContainText(wallet.address.slice(-4))
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await account.click()
  await expect(dialog).toContainText(wallet.address)
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(opener).toBeVisible()
  await page.reload()
  await expect(opener).toBeVisible()

  await opener.click()
  const again = wallet.hold('eth_requestAccounts')
  await dialog.getByRole('button', { name: wallet.name }).click()
  await again.asked
  await page.keyboard.press('Escape')
  await opener.click()
  await dialog.getByRole('button', { name: wallet.name }).click()
  await expect(dialog.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  again.release()
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await expect(account).toBeVisible()
})

test('receives the wallet’s response after leaving its step and returning', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/nodelist`)
  const dialog = page.getByRole('dialog')
  await openConnect(page)
  const held = wallet.hold('eth_requestAccounts')
  wallet.refuseNext('eth_requestAccounts')
  await dialog.getByRole('button', { name: wallet.name }).click()
  await held.asked
  await dialog.getByRole('button', { name: 'Get a wallet' }).click()
  await dialog.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(dialog.getByRole('heading', { name: `Opening ${wallet.name}…` })).toBeVisible()
  held.release()
  await expect(dialog).toContainText('closed in your wallet')
})

test('disconnects on a cancelled sign-in, and stays unauthenticated on a closed one', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/myspace`)
  const dialog = page.getByRole('dialog')
  await openConnect(page)
  await dialog.getByRole('button', { name: wallet.name }).click()
  await expect(dialog.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  const signIn = page.getByRole('banner').getByRole('button', { name: 'Sign in' })
  await signIn.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })).toBeVisible()
})

test('names the failed sign-in step when the platform does not respond', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/myspace`)
  const dialog = page.getByRole('dialog')
  await openConnect(page)
  // Set up before the dialog is shown: it fetches its nonce ahead of the press.
  await page.route('**/v1/auth/nonce', (route) => route.abort())
  await dialog.getByRole('button', { name: wallet.name }).click()
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await expect(dialog.getByRole('alert')).toContainText('could not be prepared')
  await page.unroute('**/v1/auth/nonce')
  await page.route('**/v1/auth/verify', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await expect(dialog.getByRole('alert')).toContainText('could not be verified')
  await page.unroute('**/v1/auth/verify')
  const refusal = { code: 'rate_limited', message: 'too many requests' }
  await page.route('**/v1/auth/verify', (route) => route.fulfill({ status: 429, json: refusal }))
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Too many sign-ins from your network. You are not signed in yet')
  await page.unroute('**/v1/auth/verify')
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await expect(dialog).toBeHidden()
})

test('labels WalletConnect (unsupported) without its configuration, and does not try it', async ({ page, market }) => {
  await page.goto(`${market.url}/status`)
  const dialog = page.getByRole('dialog')
  await openConnect(page)
  await dialog.getByRole('button', { name: 'WalletConnect (unsupported)' }).click()
  await expect(dialog.getByRole('heading', { name: 'WalletConnect (unsupported)' })).toBeVisible()
  await expect(dialog).toContainText('Choose another one.')
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeHidden()
  await expect(dialog.getByRole('img')).toBeHidden()
})

test('detects a wrong network, and switches back', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/myspace`)
  await connect(page, wallet)
  await wallet.switchTo(1)
  const wrong = page.getByRole('button', { name: 'Wrong network' }).filter({ visible: true })
  await expect(wrong).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your wallet is on another network' })).toBeVisible()
  await wrong.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: /Main/ })).toContainText('Not deployed on this chain')
  const pictures = dialog.getByRole('listitem').locator('img')
  await expect(pictures).toHaveCount(3)
  for (const picture of await pictures.all())
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await dialog.getByRole('button', { name: /Dev/ }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Network: Dev 2985' })).toBeVisible()
})

test('offers a wallet once per tab beside the page, not on home and status, and leaves at its first use', async ({
  page,
  market,
}) => {
  const dialog = page.getByRole('dialog')
  const panel = page.getByRole('region', { name: 'Connect Wallet' })
  for (const path of ['/', '/status', '/nothing-here']) {
    await page.goto(market.url + path)
    await pastIdle(page)
    await expect(panel).toBeHidden()
  }
  const again = () => page.evaluate(() => sessionStorage.removeItem('rackfair.asked'))
  // One Tab leads to it, and from its last button to the page.
  const throughPanel = async () => {
    for (const name of ['Connect a wallet', 'Not now']) {
      await page.keyboard.press('Tab')
      await expect(panel.getByRole('button', { name })).toBeFocused()
    }
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  }
  const uses = [
    ['/nodelist', 'Only paying needs one.', () => page.keyboard.press('ArrowDown')],
    ['/nodelist?idle=true', 'Only paying needs one.', throughPanel],
    ['/nodelist', 'Only paying needs one.', () => page.keyboard.press('Escape')],
    ['/myspace', 'Connect it to see your part of it.', () => page.mouse.click(5, 300)],
    ['/nodelist?idle=true', 'Only paying needs one.', () => panel.getByRole('button', { name: 'Not now' }).click()],
  ] as const
  for (const [path, words, use] of uses) {
    await again()
    await page.goto(market.url + path)
    const focused = await page.evaluate(() => document.activeElement?.tagName)
    await expect(panel).toContainText(words)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe(focused)
    expect(await panel.evaluate((shown) => shown.closest('[aria-live=polite]') !== null)).toBe(true)
    await use()
    await expect(panel).toBeHidden()
  }
  await page.goto(`${market.url}/nodelist`)
  await pastIdle(page)
  await expect(panel).toBeHidden()
  await again()
  await page.reload()
  await expect(panel).toBeVisible()
  await isAccessibleInEveryLook(page)
  await panel.getByRole('button', { name: 'Connect a wallet' }).click()
  await expect(dialog.getByRole('list', { name: 'Popular' })).toBeVisible()
  await expect(panel).toBeHidden()
})

test('loads no wallet code with the first load of a public page', async ({ page, market }) => {
  await page.goto(`${market.url}/status`)
  await expect(page.getByText('Version')).toBeVisible()
  await pastIdle(page)
  const sign = await page.evaluate(() => performance.now())
  await page.mouse.move(300, 300)
  const first = () =>
    page.evaluate(
      () =>
        performance
          .getEntriesByType('resource')
          .find((entry) => /\/(session|connectMarket|secp256k1|walletConnect)/.test(entry.name))?.startTime,
    )
  await expect.poll(first).toBeDefined()
  // Ten seconds after the start it loads without an interaction too.
  expect(await first()).toBeGreaterThanOrEqual(Math.min(sign, 10_000))
})

/** The page has had its idle callback, after four seconds at the latest, and time to act on it. */
async function pastIdle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 4000 })))
  await page.waitForFunction(() => performance.now() > 5000)
}
