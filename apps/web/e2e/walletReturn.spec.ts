import { retryUntilGone } from './retryUntilGone.ts'
import { connect, expect, test } from './test.ts'

test('while the last wallet is taken up again, nobody is told to connect one', async ({ page, market, wallet }) => {
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

test('a last wallet that does not answer holds the page up for ten seconds, and connects when it answers', async ({
  page,
  market,
  wallet,
}) => {
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

test('a returning visitor whose page cannot read the settings may try again, or waits until the platform is back', async ({
  page,
  market,
  wallet,
}) => {
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

test('a session that cannot be read is asked for again, and nobody has to sign in anew', async ({ page, market, wallet }) => {
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
