import { seenBriefly } from './seenBriefly.ts'
import { expect, openConnect, test } from './test.ts'

test('walks through every step and back by keyboard', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  const dialog = page.getByRole('dialog', { name: 'Connect a wallet' })
  await openConnect(page)
  await expect(dialog.getByRole('heading', { name: 'What is a wallet?' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Get a wallet' }).press('Enter')
  await expect(dialog.getByRole('heading', { name: 'Get a wallet' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Get Rabby Wallet' }).press('Enter')
  await dialog.getByRole('button', { name: /For your phone/ }).press('Enter')
  await expect(dialog.getByRole('img', { name: 'QR code of the download of Rabby Wallet' })).toHaveClass(/size-64/)
  await dialog.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(dialog.getByRole('heading', { name: 'Set up Rabby Wallet' })).toBeVisible()
  const back = dialog.getByRole('button', { name: 'Back', exact: true })
  for (const heading of ['Install Rabby Wallet', 'Get Rabby Wallet', 'Get a wallet', 'What is a wallet?']) {
    await back.press('Enter')
    await expect(dialog.getByRole('heading', { name: heading, exact: true })).toBeVisible()
  }
  await expect(back).toBeHidden()
  await dialog.getByRole('button', { name: 'Rabby' }).press('Enter')
  await dialog.getByRole('button', { name: /For your computer/ }).press('Enter')
  await expect(dialog).toContainText(`Go to ${new URL(market.url).host} in the browser of the app`)
  await back.press('Enter')
  await dialog.getByRole('button', { name: /For this browser/ }).press('Enter')
  await expect(dialog).toContainText('Reload this page')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('opens the page in the phone wallet’s browser where no QR code works, and promises none', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  const dialog = page.getByRole('dialog')
  await openConnect(page)
  await dialog.getByRole('button', { name: 'MetaMask' }).click()
  await dialog.getByRole('button', { name: /For your phone/ }).click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('listitem').last()).toHaveText(/Open this page in the app/)
  await expect(dialog).not.toContainText('code')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await seenBriefly(dialog, 'Copied', () => dialog.getByRole('button', { name: 'Copy the address' }).click())
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(market.url)
  await dialog.getByRole('button', { name: 'Back to the wallets' }).click()
  await expect(dialog.getByRole('heading', { name: 'What is a wallet?' })).toBeVisible()
})

test('traps the focus and restores it', async ({ page, market }) => {
  await page.goto(market.url)
  const opener = page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })
  await opener.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: /Development wallet/ })).toBeVisible()
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab')
    const where = await page.evaluate(
      () => document.activeElement?.closest('dialog') !== null || document.activeElement === document.body,
    )
    expect(where).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
})

test('never loses the focus by keyboard through connecting, signing in and disconnecting', async ({ page, market }) => {
  await page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
  await page.goto(`${market.url}/status`)
  const dialog = page.getByRole('dialog')
  const opener = page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })
  const account = page
    .getByRole('banner')
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
  await opener.press('Enter')
  await dialog.getByRole('button', { name: /Development wallet/ }).press('Enter')
  await dialog.getByRole('button', { name: 'Sign the message' }).press('Enter')
  await expect(account).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Disconnect' }).press('Enter')
  await expect(opener).toBeFocused()

  await page.goto(`${market.url}/myspace`)
  await page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }).press('Enter')
  await dialog.getByRole('button', { name: /Development wallet/ }).press('Enter')
  await dialog.getByRole('button', { name: 'Sign the message' }).press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('shows one step at a time on a phone', async ({ page, market }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${market.url}/nodelist`)
  const dialog = page.getByRole('dialog')
  await openConnect(page)
  await dialog.getByRole('button', { name: 'What is a wallet?' }).click()
  await expect(dialog.getByRole('list', { name: 'Popular' })).toBeHidden()
  await dialog.getByRole('button', { name: 'Get a wallet' }).click()
  await dialog.getByRole('button', { name: 'Get MetaMask' }).click()
  await dialog.getByRole('button', { name: /For your phone/ }).click()
  await expect(dialog.getByRole('link', { name: /Open the download page/ })).toBeVisible()
  await expect(dialog.getByRole('img')).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
