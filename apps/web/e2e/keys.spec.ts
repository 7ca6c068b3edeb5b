import { buyOrder, type Payer, withPurse } from '@rackfair/sdk'
import { type Address, createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { connect, expect, type Start, test } from './buyerTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { retryUntilGone } from './retryUntilGone.ts'

test('makes a purse, grants a key that buys, renews its order, changes the key and revokes it', async ({
  start,
  page,
  wallet,
}) => {
  const { api, market, provider, node } = start
  await api.faucet(wallet.address)
  await page.goto(`${market.url}/myspace`)
  await connect(page, wallet)
  await page.getByRole('link', { name: 'Purses and keys' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Purses and keys' })).toBeVisible()
  await isAccessibleInEveryLook(page)
  await page.getByRole('button', { name: 'Make a purse' }).click()
  const holds = page.getByTestId('purse')
  await expect(holds).toHaveText('$0.00')

  await page.getByRole('button', { name: 'Fill' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('15')
  await dialog.getByRole('button', { name: 'Fill' }).click()
  await expect(holds).toHaveText('$15.00')
  await expect(page.getByRole('heading', { name: 'No key yet' })).toBeVisible()

  // Without a mouse.
  await page.getByRole('button', { name: 'New key' }).press('Enter')
  const name = page.getByRole('textbox', { name: 'Name' })
  await expect(name).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(name).toBeHidden()
  await page.getByRole('button', { name: 'New key' }).press('Enter')
  await page.getByRole('button', { name: 'Create key' }).press('Enter')
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(/Give it a name/)
  await name.fill('nightly')
  await page.getByRole('textbox', { name: 'Valid for' }).fill('10')
  await expect(
    page.getByText(/^nightly may spend \$5\.00 in all, at most \$0\.60 an hour, 3 hours at a time, any provider/),
  ).toBeVisible()
  await isAccessibleInEveryLook(page)
  await page.getByRole('button', { name: 'Create key' }).press('Enter')
  const shown = page.getByTestId('new-key')
  await expect(shown).toContainText('RACKFAIR_PURSE=0x')
  const [privateKey, purse] = ((await shown.textContent()) ?? '').match(/0x[0-9a-fA-F]+/g) as [Address, Address]
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(shown).toBeHidden()
  const key = page.getByRole('table', { name: 'Keys' }).getByRole('row').filter({ hasText: 'nightly' })
  await expect(key).toContainText(
    '$5.00 in all, at most $0.60 an hour, 3 hours at a time, any provider. May buy, end, deploy, and open logs',
  )
  await expect(key).toContainText('$5.00 of $5.00')

  const program = await payerOf(start, privateKey, purse)
  const { orderId } = await buyOrder(program, { provider: provider.account, nodeId: node, term: '2h' })
  const order = page
    .getByRole('table', { name: 'Running orders of this purse' })
    .getByRole('row')
    .filter({ hasText: `helios-${node}` })
  await expect(order).toContainText('nightly', { timeout: 60_000 })
  await expect(key).toContainText('$4.56 of $5.00')
  await order.getByRole('button', { name: `Keep order ${orderId} alive` }).click()
  await expect(dialog).toContainText('it is extended by 1 day while it costs $0.22 an hour or less')
  await dialog.getByRole('button', { name: 'Keep alive' }).click()
  // The purse pays for two days more.
  await expect(order).toContainText(/runs out .*\d/)
  await expect(page.getByRole('region', { name: 'Purse, yours alone' })).toContainText('1 order')
  await isAccessibleInEveryLook(page)
  for (const path of [`/orderinfo?id=${orderId}`, '/myspace']) {
    await page.goto(`${market.url}${path}`)
    await expect(page.getByText('Its renewal runs out')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Open the purse' }).click()
  await page.getByRole('button', { name: 'Fill' }).click()
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('10')
  await dialog.getByRole('button', { name: 'Fill' }).click()
  await expect(order).toContainText(/until .*\d/)
  await order.getByRole('button', { name: `Stop the renewal of order ${orderId}` }).click()
  await expect(order).toContainText('ends then')

  await page.getByRole('button', { name: 'Change nightly' }).click()
  await page.getByRole('textbox', { name: 'In all' }).fill('8')
  await page.getByText('Only these providers').click()
  await page.getByRole('button', { name: 'Save limits' }).click()
  const listed = page.getByRole('textbox', { name: 'Addresses of providers' })
  await expect(listed).toBeFocused()
  await expect(listed).toHaveAccessibleDescription(/Enter addresses of providers/)
  await listed.fill(wallet.address)
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect(key).toContainText('of $8.00')
  await expect(key).toContainText('only providers you named')
  await expect(buyOrder(program, { provider: provider.account, nodeId: node, term: '1h' })).rejects.toMatchObject({
    code: 'ProviderNotGranted',
  })
  await page.getByRole('button', { name: 'Change nightly' }).click()
  await expect(listed).toHaveAccessibleDescription(/Name all of them again/)
  await listed.fill(`${wallet.address}, ${provider.account}`)
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect(listed).toBeHidden()
  await page.reload()
  await expect(key).toContainText('of $8.00')

  await page.getByRole('button', { name: 'Revoke nightly' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(key).toContainText('Revoked')
  await expect(buyOrder(program, { provider: provider.account, nodeId: start.node, term: '1h' })).rejects.toMatchObject({
    code: 'KeyNotValid',
  })
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.getByRole('button', { name: 'All of it' }).click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(holds).toHaveText('$0.00')
})

test('says what is safe when the purse cannot be read, and reads it again', async ({ start, page, market, wallet }) => {
  await page.goto(`${start.market.url}/myspace`)
  await connect(page, wallet)
  await page.route(`${market.rpcUrl}/**`, (route) => route.abort())
  await page.goto(`${start.market.url}/keys`)
  await expect(page.getByText('The purse could not be read')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('What it holds is on the chain and not affected.')).toBeVisible()
  await page.unroute(`${market.rpcUrl}/**`)
  await retryUntilGone(page, page.getByText('The purse could not be read'))
  await expect(page.getByRole('button', { name: 'Make a purse' })).toBeVisible({ timeout: 60_000 })
})

async function payerOf({ api, provider }: Start, privateKey: Address, purse: Address): Promise<Payer> {
  const account = privateKeyToAccount(privateKey)
  await api.faucet(account.address)
  const { chainId, rpcUrl } = await api.config()
  const client = createClient({ account, transport: http(rpcUrl), pollingInterval: 100 })
  return withPurse({ client, wallet: client, chainId, addresses: provider.addresses } as unknown as Payer, purse)
}
