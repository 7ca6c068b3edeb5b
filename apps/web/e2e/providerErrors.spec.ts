import { contractCall, waitForReceipt } from '@rackfair/sdk'
import { developmentAccounts } from '@rackfair/testkit'
import { createWalletClient, http } from 'viem'
import { marketActor } from './marketActor.ts'
import { retryUntilGone } from './retryUntilGone.ts'
import { expect, openConnected, test } from './test.ts'

test('shows a failed pledge in a toast of at most 100 characters, stops waiting, and is silent on a rejection', async ({
  page,
  market,
  wallet,
}) => {
  const provider = await marketActor(market, wallet.account)
  await provider.becomeProvider('hestia')
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  await page.getByRole('button', { name: 'Pledge or withdraw' }).click()
  const dialog = page.getByRole('dialog')
  const pledge = dialog.getByRole('button', { name: 'Pledge', exact: true })
  const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')

  wallet.refuseNext('eth_sendTransaction')
  await pledge.click()
  await expect.poll(() => wallet.asked.includes('eth_sendTransaction')).toBe(true)
  await expect(pledge).toBeEnabled()
  await expect(toast.filter({ hasText: 'Error Message' })).toHaveCount(0)

  wallet.unknown.add('eth_sendTransaction')
  await pledge.click()
  await expect(toast.filter({ hasText: 'Error Message' })).toBeVisible()
  await expect(pledge).toBeEnabled()
  wallet.unknown.clear()

  const { guardian, owner } = developmentAccounts()
  const transport = http(market.rpcUrl)
  const asRole = async (account: typeof owner, functionName: 'pause' | 'unpause') => {
    const { abi, address } = contractCall(provider.addresses, 'access', functionName, [])
    const hash = await createWalletClient({ account, transport }).writeContract({ abi, address, functionName, chain: null })
    await waitForReceipt(provider.client, hash)
  }
  await asRole(guardian, 'pause')
  await pledge.click()
  const paused = toast.filter({ hasText: 'paused' })
  await expect(paused).toContainText('Error Message')
  expect((await paused.getByRole('paragraph').nth(1).textContent())?.length).toBeLessThanOrEqual(100)
  await expect(pledge).toBeEnabled()
  await asRole(owner, 'unpause')
  await pledge.click()
  await expect(page.getByText('Pledge Submit Success')).toBeVisible()
})

test('waits for a sent pledge while the chain does not respond, and does not call it unsent', async ({
  page,
  market,
  wallet,
}) => {
  const provider = await marketActor(market, wallet.account)
  await provider.becomeProvider('phoebe')
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  let refused = 0
  await page.route(`${market.rpcUrl}/**`, (route, request) => {
    if (!request.postData()?.includes('eth_getTransactionReceipt')) return route.continue()
    refused += 1
    return route.abort()
  })
  await page.getByRole('button', { name: 'Pledge or withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pledge', exact: true }).click()
  // viem tries four times at first and four times on the next check, then gives up.
  await expect.poll(() => refused, { timeout: 60_000 }).toBeGreaterThan(8)
  await expect(page.getByText('Error Message')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
    .click()
  const rows = page.getByRole('dialog', { name: 'Account' }).getByRole('listitem')
  await expect(rows).toContainText(['Waiting'])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // First what stays for seconds only.
  await expect(page.getByText('Pledge Submit Success')).toBeVisible()
  await expect(rows).toContainText(['Confirmed', 'Confirmed'])
})

test('sends no second step of a pledge after another account was chosen, and says so', async ({ page, market, wallet }) => {
  const provider = await marketActor(market, wallet.account)
  await provider.becomeProvider('eos')
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  const approved = Promise.withResolvers<void>()
  await page.route(`${market.rpcUrl}/**`, async (route, request) => {
    if (request.postData()?.includes('eth_getTransactionReceipt')) await approved.promise
    await route.continue()
  })
  const sent = () => wallet.asked.filter((method) => method === 'eth_sendTransaction')
  await page.getByRole('button', { name: 'Pledge or withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pledge', exact: true }).click()
  await expect(page.getByText('Waiting for the Transaction', { exact: true })).toBeVisible()
  await wallet.switchAccount()
  await expect(page.getByText('Sign in to continue')).toBeVisible()
  approved.resolve()
  const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')
  await expect(toast).toContainText(['The account in your wallet has changed'])
  expect(sent()).toHaveLength(1)
})

test('says what is safe without platform and chain, and recovers', async ({ page, market, wallet }) => {
  const provider = await marketActor(market, wallet.account)
  await provider.becomeProvider('ops')
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  await expect(page.getByRole('switch')).toBeVisible()

  const own = `**/v1/cp/${provider.address.toLowerCase()}`
  const away = { status: 503, json: { code: 'not_ready', message: 'the platform is not ready' } }
  await page.route(`${own}?*`, (route) => route.fulfill(away))
  await page.route(own, (route) => route.fulfill(away))
  await page.reload()
  await expect(page.getByText('Your provider could not be read')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/on the chain and not affected/)).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await retryUntilGone(page, page.getByText('Your provider could not be read'))
  await expect(page.getByRole('switch')).toBeVisible()

  for (const [tab, path, title] of [
    ['orders', 'order/list', 'Your orders could not be read'],
    ['earnings', 'earnings', 'Your earnings could not be read'],
    ['pledge', 'pledge', 'The history of your pledge could not be read'],
  ] as const) {
    await page.route(
      (url) => url.pathname.endsWith(`/${path}`),
      (route) => route.fulfill(away),
    )
    await page.goto(`${market.url}/providerinfo?tab=${tab}`)
    const panel = page.getByRole('tabpanel')
    await expect(panel.getByText(title)).toBeVisible({ timeout: 60_000 })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await retryUntilGone(panel, panel.getByText(title))
  }

  await page.route(`${market.rpcUrl}/**`, (route) => route.abort())
  await page.goto(`${market.url}/providerinfo`)
  await expect(page.getByText('The chain could not be read')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/Your money is not affected/)).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await retryUntilGone(page.getByRole('main'), page.getByText('The chain could not be read'))
})
