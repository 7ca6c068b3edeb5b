import type { Page } from '@playwright/test'
import { allowanceOf, create, expect, purchaseUrl, readyToBuy, success, test } from './buyerTest.ts'
import type { BatchCall } from './deploySmartAccount.ts'
import { connect } from './test.ts'

const throws = (code: number, message: string) => () => {
  throw Object.assign(new Error(message), { code })
}
const READY = () => ({ '0x0': { atomic: { status: 'ready' } } })

test('takes a hardware wallet’s no for one, and pays another way where the wallet cannot batch', async ({
  start,
  page,
  wallet,
}) => {
  await readyToBuy(start)
  for (const method of ['eth_signTypedData_v4', 'wallet_sendCalls']) {
    if (method === 'wallet_sendCalls') wallet.odd.set('wallet_getCapabilities', READY)
    wallet.odd.set(method, throws(-32603, 'Ledger device: Condition not satisfied (denied by the user?) (0x6985)'))
    await create(page).click()
    await expect.poll(() => wallet.asked.at(-1)).toBe(method)
    await expect(create(page)).toBeEnabled()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  expect(wallet.asked).not.toContain('eth_sendTransaction')

  wallet.odd.set('wallet_sendCalls', throws(5750, 'The user rejected the upgrade'))
  await create(page).click()
  await expect.poll(() => wallet.asked.at(-1)).toBe('eth_signTypedData_v4')
  await expect(create(page)).toBeEnabled()
  const batches = () => wallet.asked.filter((method) => method === 'wallet_sendCalls').length
  const before = batches()
  await page.reload()
  // A contract account’s signature, which the Credit would not take; then a transaction in an object.
  wallet.odd.set('eth_signTypedData_v4', () => `0x${'ab'.repeat(200)}`)
  wallet.odd.set('eth_sendTransaction', async ([call]) => ({ hash: await wallet.send(call as BatchCall) }))
  await create(page).click()
  await expect(success(page)).toBeVisible()
  expect(batches()).toBe(before)
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2)
})

test('finds the order of a batch whose wallet gives no receipt, and of a wallet that never answers', async ({
  start,
  page,
  wallet,
  provider,
  freeNode,
}) => {
  wallet.canBatch = true
  await readyToBuy(start)
  wallet.odd.set('wallet_getCallsStatus', () => ({ status: 200, atomic: true }))
  await create(page).click()
  await expect(success(page)).toContainText(/Order \d+/)
  expect(await allowanceOf(provider, wallet)).toBe(0n)

  wallet.canBatch = false
  await page.goto(purchaseUrl({ market: start.market, provider, node: freeNode() }))
  wallet.odd.set('eth_sendTransaction', async ([call]) => {
    await wallet.send(call as BatchCall)
    return new Promise(() => undefined)
  })
  await create(page).click()
  await expect(success(page)).toContainText(/Order \d+/)
})

test('calls a hash that the chain never shows not known, and corrects it over a reload', async ({
  start,
  page,
  wallet,
  market,
}) => {
  await page.clock.install()
  await readyToBuy(start)
  let call: BatchCall | undefined
  wallet.odd.set('eth_sendTransaction', ([sent]) => {
    call = sent as BatchCall
    return `0x${'5a'.repeat(32)}`
  })
  await create(page).click()
  await expect(page.getByText('Waiting for the Transaction', { exact: true })).toBeVisible()
  await page.clock.fastForward('05:10')
  const popup = page.getByRole('dialog', { name: 'Create Order Error' })
  await expect(popup).toContainText('The transaction may still come through')
  await expect(popup).not.toContainText('still in your wallet')
  await page.goto(`${market.url}/status`)
  await openAccount(page)
  await expect(rows(page)).toContainText(['Not known yet'])
  await wallet.send(call as BatchCall)
  await page.reload()
  await openAccount(page)
  await page.clock.fastForward('00:30')
  await expect(rows(page)).toContainText(['Confirmed'])
})

test('connects on another network where the wallet does not change, with what to add by hand', async ({
  page,
  market,
  wallet,
}) => {
  wallet.odd.set('wallet_switchEthereumChain', () => null)
  wallet.odd.set('wallet_addEthereumChain', throws(-32603, 'Сеть не найдена'))
  await wallet.switchTo(1)
  await page.goto(`${market.url}/status`)
  await connect(page, wallet)
  expect(wallet.asked).toContain('wallet_addEthereumChain')
  await page.getByRole('button', { name: 'Wrong network' }).filter({ visible: true }).click()
  const dialog = page.getByRole('dialog')
  for (const fact of ['Rackfair Dev', '2985', 'RACK', market.rpcUrl])
    await expect(dialog.getByRole('definition').getByText(fact, { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(dialog).toBeHidden()
})

test('signs in on a device whose clock is wrong', async ({ page, market, wallet }) => {
  for (const off of [2 * 60_000, -20 * 60_000, 86_400_000]) {
    await page.clock.setFixedTime(Date.now() + off)
    await page.goto(`${market.url}/status`)
    await connect(page, wallet)
    await openAccount(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})

const rows = (page: Page) => page.getByRole('dialog', { name: 'Account' }).getByRole('listitem')

async function openAccount(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
    .click()
}
