import { retryUntilGone } from './retryUntilGone.ts'
import { connect, expect, test } from './test.ts'

test('asks nobody to connect a wallet while the last one reconnects', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/myspace`)
  await connect(page, wallet)
  const held = wallet.hold('eth_accounts')
  await page.reload()
  await held.asked
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connecting…' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Connect a wallet to continue' })).toBeHidden()
  held.release()
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
})

test('waits ten seconds for a silent last wallet, and connects when it responds', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/status`)
  await connect(page, wallet)
  const held = wallet.hold('eth_accounts')
  await page.reload()
  await held.asked
  await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click()
  await expect(page.getByRole('dialog').getByRole('list', { name: 'Popular' })).toBeVisible()
  held.release()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: /^Account/ }).filter({ visible: true })).toBeVisible()
})

test('offers a retry without settings on a return visit, or waits for the platform', async ({ page, market, wallet }) => {
  await page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
  await page.goto(`${market.url}/myspace`)
  await connect(page, wallet)
  const opener = page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })
  const account = page.getByRole('button', { name: /^Account/ }).filter({ visible: true })
  const dialog = page.getByRole('dialog')
  await page.route('**/v1/config', (route) => route.abort())
  await page.reload()
  await opener.click()
  await expect(dialog).toContainText('The platform cannot be reached')
  await page.unroute('**/v1/config')
  await retryUntilGone(dialog, dialog.getByText('The platform cannot be reached'))
  await expect(dialog).toBeHidden()
  await expect(account).toBeVisible()

  const away = /\/v1\/(config|events)/
  await page.route(away, (route) => route.abort())
  await page.reload()
  await expect(opener).toBeVisible()
  await page.unroute(away)
  await expect(account).toBeVisible()
})

test('retries reading the session, without another sign-in', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/myspace`)
  await connect(page, wallet)
  const account = page.getByRole('button', { name: /^Account/ }).filter({ visible: true })
  await page.route('**/v1/auth/session', (route) => route.fulfill({ status: 503 }), { times: 1 })
  await page.reload()
  await expect(account).toBeVisible()

  await page.route('**/v1/auth/session', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.unroute('**/v1/auth/session')
  await expect(account).toBeVisible()
})
