import type { Page } from '@playwright/test'
import { create, expect, readyToBuy, test } from './buyerTest.ts'

test('remembers a pending batch over a reload, and settles it', async ({ start, page, market, wallet }) => {
  wallet.canBatch = true
  await readyToBuy(start)
  const first = wallet.hold('wallet_getCallsStatus')
  await create(page).click()
  await first.asked
  const second = wallet.hold('wallet_getCallsStatus')
  await page.goto(`${market.url}/status`)
  await openAccount(page)
  await expect(rows(page)).toContainText(['Waiting'])
  second.release()
  await expect(rows(page)).toContainText(['Confirmed'])
  await expect(rows(page)).toHaveCount(1)
  first.release()
})

test('does not call a batch unpaid whose result the wallet withholds, and remembers it over a reload', async ({
  start,
  page,
  market,
  wallet,
}) => {
  wallet.canBatch = true
  await page.clock.install()
  await readyToBuy(start)
  const status = wallet.hold('wallet_getCallsStatus')
  await create(page).click()
  await status.asked
  await expect(page.getByText('Waiting for the Transaction', { exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Progress of the purchase' })).toContainText('Waiting for the transaction')
  await page.clock.fastForward('05:10')
  const popup = page.getByRole('dialog', { name: 'Create Order Error' })
  await expect(popup).toContainText('look at your account before you send it again')
  await expect(popup).toContainText('The transaction may still come through')
  await expect(popup).not.toContainText('still in your wallet')
  status.release()
  await page.goto(`${market.url}/status`)
  await openAccount(page)
  await expect(rows(page)).toContainText(['Confirmed'])
})

test('remembers a transaction over a reload even before its nonce is known', async ({ start, page, market, wallet }) => {
  await readyToBuy(start)
  let asked = 0
  await page.route(`${market.rpcUrl}/**`, async (route, request) => {
    if (request.postData()?.includes('eth_getTransactionByHash')) asked += 1
    else await route.continue()
  })
  await create(page).click()
  await expect.poll(() => asked).toBeGreaterThan(0)
  await page.goto('about:blank')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(`${market.url}/status`)
  await openAccount(page)
  await expect(rows(page)).toContainText(['Confirmed'])
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
})

test('resumes waiting for what is pending once the chain is reachable', async ({ start, page, market, wallet }) => {
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await readyToBuy(start)
  const hash = await wallet.send({ to: wallet.account.address })
  await page.evaluate(
    ([address, sent]) => {
      const list = [{ hash: sent, description: 'Sent before', status: 'pending' }]
      localStorage.setItem('rackfair.transactions', JSON.stringify({ [address]: { 2985: list } }))
    },
    [wallet.address.toLowerCase(), hash] as const,
  )
  await page.route(`${market.rpcUrl}/**`, (route) => route.abort())
  await page.reload()
  await openAccount(page)
  await expect(page.getByRole('dialog').getByText('could not be read').first()).toBeVisible()
  await expect(rows(page)).toContainText(['Waiting'])
  await page.unrouteAll()
  await expect(rows(page)).toContainText(['Confirmed'])
  expect(errors).toEqual([])
})

test('shares one list between two tabs', async ({ start, page, context, market, wallet }) => {
  await readyToBuy(start)
  const other = await context.newPage()
  await other.goto(`${market.url}/myspace`)
  await openAccount(other)
  await expect(other.getByRole('dialog')).toContainText('What you send from this browser appears here.')
  await create(page).click()
  await expect(rows(other)).toContainText(['Confirmed'])
  expect(wallet.asked).toContain('eth_sendTransaction')
})

const rows = (page: Page) => page.getByRole('dialog', { name: 'Account' }).getByRole('listitem')

async function openAccount(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
    .click()
}
