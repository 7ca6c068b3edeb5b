import { contractCall } from '@rackfair/sdk'
import { buy, connect, create, creditOf, expect, readyToBuy, success, test } from './buyerTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { pressMore } from './orderMenu.ts'
import { takePicture, WIDE_AND_PHONE } from './takePicture.ts'
import { choose, openConnected } from './test.ts'

test('starts, extends, ends the probation and cancels with the previewed refund', async ({
  start,
  page,
  provider,
  wallet,
  api,
  node,
}) => {
  const orderId = await buy(start)
  await expect(page).toHaveURL(/myspace/)
  await provider.send(contractCall(provider.addresses, 'market', 'activate', [BigInt(orderId)]))
  const card = page.locator(`[data-order="${orderId}"]`)
  await expect(card).toContainText(/d \d+h left of 30d/)

  await card.getByRole('link', { name: 'Extend' }).click()
  await choose(page.getByRole('radio', { name: 'months' }), { force: true })
  await page.getByRole('textbox', { name: 'Extend by' }).fill('2')
  await expect(page.getByTestId('fee')).toHaveText('$316.00')
  await page.getByRole('button', { name: 'Extend order' }).click()
  const extended = page.getByRole('dialog', { name: 'Extend Order Submit Success' })
  await expect(extended).toBeVisible()
  const end = (await extended.getByText(/now runs until/).textContent()) ?? ''
  await page.reload()
  await expect(extended.getByText(end)).toBeVisible()
  await isAccessibleInEveryLook(page)
  await extended.getByRole('button', { name: 'Go to My orders' }).click()
  await expect(card).toContainText('of $474.00')

  await card.getByRole('link', { name: `helios-${node}` }).click()
  await expect(page.getByText(/^Activated by helios/)).toBeVisible()
  await expect(page.getByText(/^Extended to/)).toBeVisible()
  await page.getByRole('link', { name: 'Receipt' }).click()
  await expect(page.getByRole('row', { name: /Bought/ })).toContainText('$158.00')
  await expect(page.getByRole('row', { name: /Extended/ })).toContainText('$316.00')
  await page.getByRole('link', { name: 'Back to the order' }).click()

  await pressMore(page, 'Cancel…')
  const dialog = page.getByRole('dialog', { name: `Cancel order ${orderId}` })
  await expect(dialog.getByTestId('refund')).toHaveText(/^\$473\.9/)
  await isAccessibleInEveryLook(page)
  const before = await creditOf(provider, wallet)
  await expect(dialog.getByRole('button', { name: 'Keep the order' })).toBeFocused()
  await dialog.getByRole('button', { name: /^Cancel order, get/ }).click()
  await expect(page.getByText(`Order ${orderId} is cancelled`)).toBeVisible()
  const back = (await creditOf(provider, wallet)) - before
  expect(back).toBeGreaterThan(0n)
  await expect.poll(async () => BigInt((await api.order(orderId)).refunded)).toBe(back)
  await expect(page.getByText('Cancelled by you', { exact: true })).toBeVisible()
})

test('shows the cost of each resource, and links to similar machines by Compute', async ({ start, page, market }) => {
  const id = await buy(start)
  await page.goto(`${market.url}/orderinfo?id=${id}`)
  const machine = page.getByRole('region', { name: 'Machine and prices' })
  for (const line of [
    'RTX 4090',
    '1 × $133.00 /GPU/month',
    'EPYC 7402, 32 cores',
    '4 × $2.00 /CPU/month',
    '64 GB × $0.125 /GB/month',
    '1.5 TB × $6.00 /TB/month',
  ])
    await expect(machine).toContainText(line)
  await expect(machine).toContainText('Per month$158.00')
  await expect(page.getByTestId('order-fee')).toHaveText('$158.00')
  const time = page.getByRole('region', { name: 'Time', exact: true })
  await expect(time).toContainText('bought')
  await expect(time).toContainText('Left of 30d')
  await expect(page.getByText(/^Created and paid/)).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Deploy' })).toHaveAttribute('href', `/orderdeploy/${id}/`)
  await isAccessibleInEveryLook(page)
  await machine.getByRole('link', { name: /^Compute/ }).click()
  await expect(page).toHaveURL(/nodelist\?idle=true&gpu=RTX/)
})

test('shows someone else’s order without actions', async ({ page, market, provider, wallet, node }) => {
  const id = await provider.sellToOther(BigInt(node))
  await page.goto(`${market.url}/orderinfo?id=${id}`)
  await expect(page.getByText('Connect the wallet that bought this order to act on it')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await connect(page, wallet)
  await expect(page.getByText('This order belongs to somebody else')).toBeVisible()
  await expect(page.getByRole('button', { name: 'More actions' })).toBeHidden()
  await page.goto(`${market.url}/extendorder?id=${id}`)
  await expect(page.getByText('This order belongs to another wallet.')).toBeVisible()
  await page.goto(`${market.url}/orderdeploy/${id}/`)
  await expect(page.getByRole('button', { name: 'Deploy nginx' })).toHaveAttribute('aria-disabled', 'true')
  await page.goto(`${market.url}/orderinfo?id=999999`)
  await expect(page.getByRole('heading', { name: 'There is no such order' }).first()).toBeVisible()
})

test('explains a refused deployment and offers a retry', async ({ start, page }) => {
  await readyToBuy(start)
  await create(page).click()
  await success(page).getByRole('button', { name: 'Go to My orders' }).click()
  await page.getByRole('article').getByRole('link', { name: 'Deploy' }).click()
  const deploy = page.getByRole('button', { name: 'Deploy ubuntu' })
  await deploy.click()
  const popup = page.getByRole('dialog', { name: 'Deploy Error' })
  await expect(popup).toContainText('cancel the order: what you have not used comes back')
  await popup.getByText('Details').click()
  await expect(popup).toContainText('image_missing')
  await popup.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('list', { name: 'Progress of the deployment' })).toContainText('Failed')
  await expect(deploy).not.toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('link', { name: 'My orders' }).first().click()
  const told = page.getByRole('article').getByRole('alert')
  await expect(told).toContainText('ubuntu could not be started.')
  await expect(told).toContainText('The provider does not have the image')
  await told.getByRole('link', { name: 'See what happened' }).click()
  await expect(page).toHaveURL(/orderdeploy/)
})

test('explains what is missing for Deploy without a wallet and with another account', async ({
  page,
  market,
  provider,
  wallet,
  node,
}) => {
  const id = await provider.sellToOther(BigInt(node))
  await page.goto(`${market.url}/orderdeploy/${id}/`)
  await page.getByRole('button', { name: 'Deploy nginx' }).click()
  const notice = page.getByRole('dialog', { name: 'Please connect a wallet' })
  await notice.waitFor()
  await isAccessibleInEveryLook(page)
  await notice.getByRole('button', { name: 'Connect Wallet' }).click()
  await expect(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
  await connect(page, wallet)
  await expect(page.getByRole('button', { name: 'Deploy nginx' })).toHaveAttribute('aria-disabled', 'true')
  await page.goto(`${market.url}/myspace`)
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  await takePicture(page, '31-no-orders', WIDE_AND_PHONE)
  await wallet.switchAccount()
  await expect(page.getByRole('heading', { name: 'Sign in to continue' })).toBeVisible()
})

test('pays a reward voucher once', async ({ page, market, provider, wallet, api }) => {
  await api.faucet(wallet.account.address)
  const code = await provider.signVoucher(wallet.account.address, 25n * 10n ** 17n)
  await openConnected(page, wallet, `${market.url}/myspace`)
  const redeem = async () => {
    await page.getByRole('button', { name: 'Redeem a voucher' }).click()
    await page.getByRole('dialog').waitFor()
    await isAccessibleInEveryLook(page)
    await page.getByLabel('Amount').fill('2.5')
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Redeem', exact: true }).click()
  }
  const before = await creditOf(provider, wallet)
  await redeem()
  await expect(page.getByText('$2.50 has been paid to your wallet')).toBeVisible()
  expect((await creditOf(provider, wallet)) - before).toBe(25n * 10n ** 17n)
  await redeem()
  await expect(page.getByText('The signature does not fit what was signed. Nothing was paid.').first()).toBeVisible()
})

test('has no axe violation on any buyer screen in any look, and fits a phone', { tag: '@long' }, async ({
  page,
  market,
  provider,
  wallet,
  node,
  freeNode,
}) => {
  const id = await provider.sellToOther(BigInt(node))
  await openConnected(page, wallet, `${market.url}/myspace`)
  const addresses = [
    `/addorder?provider=${provider.address}&node=${freeNode()}`,
    `/extendorder?id=${id}`,
    '/myspace',
    `/orderinfo?id=${id}`,
    `/orderinfo?id=${id}&view=receipt`,
    `/orderdeploy/${id}/`,
  ]
  for (const address of addresses) {
    await page.goto(market.url + address)
    await expect(page.getByRole('banner').getByText(/^0x/).filter({ visible: true })).toBeVisible()
    await expect(page.locator('main .animate-pulse')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await isAccessibleInEveryLook(page)
  }
})
