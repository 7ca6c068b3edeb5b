import type { Locator, Page } from '@playwright/test'
import { createTestClient, http } from 'viem'
import { mine, setBalance } from 'viem/actions'
import { answerEns } from './answerEns.ts'
import { retryUntilGone } from './retryUntilGone.ts'
import { connect, expect, openConnect, test } from './test.ts'

test('signs in with the development wallet, funded by the faucet', async ({ page, market }) => {
  const dialog = await openAccount(page, `${market.url}/nodelist`)
  await expect(dialog).toContainText('signs without asking')
  await dialog.getByRole('button', { name: 'Get test Credit and gas' }).click()
  await expect(page.getByText('Credit and gas have arrived.')).toBeVisible()
  const balance = dialog.getByRole('definition').first()
  await expect(balance.getByText('$10k', { exact: true })).toBeVisible()
  await expect(balance.getByTitle('$10,000.00')).toMatchAriaSnapshot('- text: $10,000.00')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Account/ }).filter({ visible: true })).toContainText('$10k')
})

test('signs in with the development wallet for the life of the page when site data is blocked', async ({ page, market }) => {
  await page.addInitScript(() => {
    const blocked = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: blocked })
  })
  const dialog = await openAccount(page, `${market.url}/status`)
  await dialog.getByRole('button', { name: 'Get test Credit and gas' }).click()
  await expect(page.getByText('Credit and gas have arrived.')).toBeVisible()
})

test('shows an unreadable balance as 0, marked, with a retry', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/myspace`)
  await connect(page, wallet)
  await page.route(`${market.rpcUrl}/**`, (route) => route.abort())
  await page.reload()
  const account = page.getByRole('button', { name: /^Account/ }).filter({ visible: true })
  await expect(account.getByTitle('The balance could not be read')).toHaveText('$0')
  await account.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toContainText('The balance could not be read.')
  await page.unrouteAll()
  await retryUntilGone(dialog, dialog.getByRole('alert'))
  await expect(dialog.getByRole('definition').first().getByTitle('$0.00')).toBeVisible()
})

test('shows an account’s ENS name, and links it and its transactions to the explorer', async ({ page, market, wallet }) => {
  await page.route('**/v1/config', async (route) => {
    const answer = await route.fetch()
    const settings = { ...(await answer.json()), mainnetRpcUrl: market.rpcUrl, explorerUrl: 'https://explorer.example/' }
    await route.fulfill({ response: answer, json: settings })
  })
  const name = 'a-name-longer-than-twenty-four.eth'
  // A user's own record may hold a picture, or a link that does not answer.
  const dot =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await answerEns(market.rpcUrl, name, dot)
  await page.goto(`${market.url}/myspace`)
  await connect(page, wallet)
  await page.getByRole('button', { name: 'Account: a-name-longer-than-twent…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('a-name-longer-than-twent…')
  await expect(dialog).toContainText(wallet.address)
  const picture = dialog.locator('img')
  await expect(picture).toHaveAttribute('src', dot)
  await expect(picture).toHaveJSProperty('naturalWidth', 1)
  await expect(dialog.getByRole('link', { name: /explorer/ })).toHaveAttribute(
    'href',
    `https://explorer.example/address/${wallet.address}`,
  )
})

test('resumes waiting for a transaction that was pending when the page was left', async ({ page, market, wallet }) => {
  await page.goto(`${market.url}/myspace`)
  await connect(page, wallet)
  const chain = createTestClient({ mode: 'anvil', transport: http(market.rpcUrl) })
  await setBalance(chain, { address: wallet.account.address, value: 10n ** 18n })
  const hash = await wallet.send({ to: wallet.account.address })
  const lost = `0x${'ab'.repeat(32)}`
  await page.evaluate(
    ([address, sent, missing]) => {
      const pending = { status: 'pending', nonce: 0, sinceBlock: '0' }
      const list = [
        { ...pending, hash: sent, description: 'The one that went through' },
        { ...pending, hash: missing, description: 'The one it replaced', to: address, data: '0x1234' },
      ]
      localStorage.setItem('rackfair.transactions', JSON.stringify({ [address.toLowerCase()]: { 2985: list } }))
    },
    [wallet.account.address, hash, lost] as const,
  )
  await mine(chain, { blocks: 1 })
  await page.reload()
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
    .click()
  const rows = page.getByRole('dialog').getByRole('listitem')
  await expect(rows.filter({ hasText: 'The one that went through' })).toContainText('Confirmed')
  await expect(rows.filter({ hasText: 'The one it replaced' })).toContainText('Failed')
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
  await expect(rows).toHaveCount(0)
})

test('exchanges Credit and USDT both ways, one to one, by keyboard alone', async ({ page, market }) => {
  const dialog = await openAccount(page, `${market.url}/nodelist`)
  await dialog.getByRole('button', { name: 'Get test Credit and gas' }).click()
  await expect(page.getByText('Credit and gas have arrived.')).toBeVisible()
  const credit = dialog.getByRole('definition').first()

  await dialog.getByRole('button', { name: 'Cash out' }).press('Enter')
  const amount = dialog.getByRole('textbox', { name: 'Credit to change' })
  await amount.fill('10001')
  await expect(dialog.getByText('You have less Credit than that.')).toBeVisible()
  await amount.fill('250.5')
  await expect(dialog.getByText('You get 250.5 USDT.')).toBeVisible()
  const change = dialog.getByRole('button', { name: /^Change into/ })
  await change.press('Enter')
  await expect(page.getByText('USDT has arrived.')).toBeVisible()
  await expect(credit.getByTitle('$9,749.50')).toBeVisible()
  await expect(dialog.getByText('Change 250.5 Credit into USDT').first()).toBeVisible()

  await dialog.getByRole('button', { name: 'Get Credit' }).press('Enter')
  await expect(dialog.getByText('You have 250.5 USDT')).toBeVisible()
  await dialog.getByRole('button', { name: 'All' }).press('Enter')
  await change.press('Enter')
  await expect(page.getByText('Credit has arrived.')).toBeVisible()
  await expect(credit.getByTitle('$10,000.00')).toBeVisible()
})

/** Signs in with the development wallet and opens its account dialog. */
async function openAccount(page: Page, url: string): Promise<Locator> {
  await page.goto(url)
  await openConnect(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /Development wallet/ }).click()
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
    .click()
  return dialog
}
