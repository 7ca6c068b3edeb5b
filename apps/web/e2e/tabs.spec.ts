import { connect, create, creditOf, expect, purchaseUrl, readyToBuy, success, test } from './buyerTest.ts'

test('shows a purchase in the other tab', async ({ start, page, context, market, node }) => {
  await readyToBuy(start)
  const other = await context.newPage()
  await other.goto(`${market.url}/myspace`)
  await expect(other.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  await create(page).click()
  await expect(success(page)).toBeVisible()
  await expect(other.getByRole('article').filter({ hasText: `helios-${node}` })).toBeVisible()
})

test('disconnects the other tab too', async ({ start, page, context, market }) => {
  await readyToBuy(start)
  const other = await context.newPage()
  await other.goto(`${market.url}/myspace`)
  await expect(other.getByRole('button', { name: /^Account/ })).toBeVisible()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(other.getByRole('heading', { name: 'Connect a wallet to continue' })).toBeVisible()
  await connect(other, start.wallet)
  await expect(other.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
})

test('never pays twice for one machine from two tabs', async ({ start, page, context, provider, wallet }) => {
  await readyToBuy(start)
  const other = await context.newPage()
  await other.goto(purchaseUrl(start))
  await expect(create(other)).not.toHaveAttribute('aria-disabled', 'true')

  const late = wallet.hold('eth_signTypedData_v4')
  await create(other).click()
  await late.asked
  await create(page).click()
  await expect(success(page)).toBeVisible()
  const left = await creditOf(provider, wallet)

  late.release()
  await expect(other.getByText('You have already bought this machine')).toBeVisible()
  await expect(create(other)).toHaveAttribute('aria-disabled', 'true')
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
  expect(await creditOf(provider, wallet)).toBe(left)
})
