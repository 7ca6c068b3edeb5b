import { contractCall } from '@rackfair/sdk'
import { buy, create, expect, purchaseUrl, readyToBuy, success, test } from './buyerTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { pressMore } from './orderMenu.ts'
import { retryUntilGone } from './retryUntilGone.ts'
import { takePicture, WIDE_AND_PHONE } from './takePicture.ts'

test('shows an unreadable fee or balance as 0, marked, with a retry', async ({ start, page, market }) => {
  await readyToBuy(start)
  await page.route(`${market.rpcUrl}/**`, (route) => route.abort())
  await page.getByRole('textbox', { name: 'Duration' }).fill('2')
  await expect(page.getByTestId('fee')).toHaveText('$0.00')
  await expect(page.getByRole('alert').filter({ hasText: 'could not be read' }).first()).toBeVisible()
  await expect(page.getByText('The fee could not be read, so nothing can be approved.')).toBeVisible()
  await expect(create(page)).toHaveAttribute('aria-disabled', 'true')
  await page.unroute(`${market.rpcUrl}/**`)
  await retryUntilGone(page, page.getByText('The fee could not be read, so nothing can be approved.'))
  await expect(page.getByTestId('fee')).toHaveText('$316.00')
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')
})

test('says what is safe when a machine cannot be read, and reads it again', async ({ start, page }) => {
  await page.route('**/v1/nodes/**', (route) => route.abort())
  await page.goto(purchaseUrl(start))
  await expect(page.getByRole('heading', { name: 'The machine could not be read' })).toBeVisible()
  await expect(page.getByText('Your orders and your money are on the chain and not affected.')).toBeVisible()
  await takePicture(page, '30-unread', WIDE_AND_PHONE)
  await page.unroute('**/v1/nodes/**')
  await retryUntilGone(page, page.getByText('The machine could not be read'))
  await expect(page.getByTestId('fee')).toHaveText('$158.00')
})

test('shows a failed purchase in a popup of 100 characters, with the full text one click away', async ({
  start,
  page,
  wallet,
}) => {
  await readyToBuy(start)
  const first = wallet.account
  const question = wallet.hold('eth_signTypedData_v4')
  await create(page).click()
  await question.asked
  await wallet.switchAccount()
  question.release()
  const popup = page.getByRole('dialog', { name: 'Create Order Error' })
  await popup.waitFor()
  await isAccessibleInEveryLook(page)
  const short = popup.getByRole('alert').locator('p').first()
  await expect(short).toHaveText(/^The account in your wallet has changed\. .*…$/)
  expect([...((await short.textContent()) ?? '')]).toHaveLength(100)
  await expect(popup).toContainText('No order was created and the fee is still in your wallet.')
  await expect(popup.getByText('or start again with this one.')).toBeHidden()
  await popup.getByText('Details').click()
  await expect(popup.getByText('or start again with this one.')).toBeVisible()
  await wallet.switchAccount(first)
})

test('says that a part of the page is missing, and pays although a line that changes loses it twice', async ({ start, page }) => {
  await readyToBuy(start)
  let losses = 3
  await page.route('**/assets/sendCalls-*.js', (route) => (losses-- > 0 ? route.abort('connectionreset') : route.continue()))
  await create(page).click()
  const popup = page.getByRole('dialog', { name: 'Create Order Error' })
  await expect(popup).toContainText('A part of this page could not be loaded over your connection. Try again.')
  await expect(popup).toContainText('No order was created and the fee is still in your wallet.')
  await popup.getByRole('button', { name: 'Close' }).last().click()
  losses = 2
  await create(page).click()
  await expect(success(page)).toBeVisible()
  expect(losses).toBeLessThan(0)
})

test('shows a failed signature as a popup on Deploy and as a logged toast on Clean', async ({
  start,
  page,
  market,
  provider,
  wallet,
  node,
}) => {
  const id = await buy(start)
  await page.goto(`${market.url}/orderdeploy/${id}/`)
  await expect(page.getByRole('button', { name: /^Account/ })).toBeVisible()
  wallet.failNext('personal_sign', 'The key of this wallet is on fire')
  await page.getByRole('button', { name: 'Deploy nginx' }).click()
  await page.getByLabel('Title of the first page').fill('Kept')
  await isAccessibleInEveryLook(page)
  await page.getByRole('button', { name: 'Sign and deploy' }).click()
  const popup = page.getByRole('dialog', { name: 'Deploy Error' })
  await expect(popup).toContainText('Your order and your money are not affected.')
  await isAccessibleInEveryLook(page)
  await popup.locator('summary').click()
  await expect(popup).toContainText('The key of this wallet is on fire')
  await popup.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByLabel('Title of the first page')).toHaveValue('Kept')

  await provider.send(contractCall(provider.addresses, 'market', 'activate', [BigInt(id)]))
  await provider.send(contractCall(provider.addresses, 'registry', 'set_avail', [provider.account, BigInt(node), true]))
  await page.goto(`${market.url}/orderinfo?id=${id}`)
  await pressMore(page, 'Clean')
  await page.getByRole('dialog').waitFor()
  await isAccessibleInEveryLook(page)
  wallet.failNext('personal_sign', 'The key of this wallet is on fire')
  const logged = page.waitForEvent('console', (message) => message.text().includes('on fire'))
  await page.getByRole('button', { name: 'Delete and clean' }).click()
  const failure = page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')
  await expect(failure).toContainText('Clean Error')
  await failure.hover()
  await failure.getByText('Details', { exact: true }).click()
  await expect(failure).toContainText('The key of this wallet is on fire')
  await failure.getByRole('button', { name: 'Dismiss' }).click()
  await expect(failure).toBeHidden()
  expect((await logged).type()).toBe('error')
  await expect(page.getByRole('button', { name: 'Delete and clean' })).toBeVisible()
})

test('announces a pending transaction until it is done', async ({ start, page, market }) => {
  await readyToBuy(start)
  const slow = Promise.withResolvers<void>()
  await page.route(`${market.rpcUrl}/**`, async (route) => {
    if (route.request().postData()?.includes('eth_getTransactionReceipt')) await slow.promise
    await route.continue()
  })
  await create(page).click()
  const notice = page.getByRole('region', { name: 'Notifications' })
  await expect(notice).toContainText(/Waiting for the Transaction.*approximately 1 minute/)
  // What the steps say is of the term that is paid for.
  await expect(page.getByRole('textbox', { name: 'Duration' })).toBeDisabled()
  slow.resolve()
  await expect(success(page)).toBeVisible()
  await expect(notice).toBeHidden()
})
