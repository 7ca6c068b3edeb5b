import { createApi, readAddresses, readMarket } from '@rackfair/sdk'
import { openPage } from '@rackfair/testkit'
import { type Address, createPublicClient, http } from 'viem'
import { connect, expect, test, whyNoAgent } from './agentTest.ts'
import { deploySmartAccount } from './deploySmartAccount.ts'
import { pressMore } from './orderMenu.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)

test('signs in, buys in one batch, deploys, cleans and cancels with a smart account', async ({
  page,
  context,
  market,
  wallet,
}) => {
  test.setTimeout(240_000)
  const api = createApi({ baseUrl: market.url })
  const reader = createPublicClient({ transport: http(market.rpcUrl), pollingInterval: 100, cacheTime: 0 })
  const addresses = await readAddresses(reader, (await api.config()).access as Address)
  const fund = async (address: Address) => {
    for (const hash of (await api.faucet(address)).transactionHashes)
      await reader.waitForTransactionReceipt({ hash: hash as Address })
  }
  await fund(wallet.account.address)
  wallet.smart = await deploySmartAccount(market.rpcUrl, wallet.account)
  wallet.canBatch = true
  await fund(wallet.address)
  const credit = () => readMarket(reader, addresses, 'credit', 'balanceOf', [wallet.address])

  await page.goto(`${market.url}/nodelist`)
  await connect(page, wallet)
  await expect(
    page.getByRole('button', { name: `Account: ${wallet.address.slice(0, 4)}…${wallet.address.slice(-4)}` }),
  ).toBeVisible()
  await page.getByRole('link', { name: /^Buy / }).first().click()
  await page.getByRole('button', { name: 'Create Order' }).click()
  const success = page.getByRole('dialog', { name: 'Create Order Submit Success' })
  await expect(success).toBeVisible()
  expect(wallet.asked.filter((method) => method === 'wallet_sendCalls')).toHaveLength(1)
  expect(wallet.asked).not.toContain('eth_sendTransaction')
  expect(wallet.asked).not.toContain('eth_signTypedData_v4')
  await success.getByRole('button', { name: 'Go to My orders' }).click()
  const card = page.getByRole('article')
  const orderId = (await card.getAttribute('data-order')) ?? ''
  expect((await api.order(orderId)).user).toBe(wallet.address.toLowerCase())

  await card.getByRole('link', { name: 'Deploy' }).click()
  await page.getByRole('button', { name: 'Deploy nginx' }).click()
  await page.getByRole('button', { name: 'Sign and deploy' }).click()
  await expect(page.getByRole('list', { name: 'Progress of the deployment' })).toContainText('after your signature', {
    timeout: 120_000,
  })
  const visit =
    (await page
      .getByRole('main')
      .getByRole('link', { name: /^Visit/ })
      .getAttribute('href')) ?? ''
  const visitor = await context.newPage()
  expect((await openPage(visitor, visit))?.status()).toBe(200)
  await visitor.close()

  await page.goto(`${market.url}/orderinfo?id=${orderId}`)
  await pressMore(page, 'Clean')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete and clean' }).click()
  const done = page.getByRole('dialog', { name: 'The machine is clean' })
  await done.getByRole('button', { name: 'Close', exact: true }).last().click({ timeout: 60_000 })
  await pressMore(page, 'Cancel…')
  const before = await credit()
  await page.getByRole('button', { name: /^Cancel order, get/ }).click()
  await expect(page.getByText(`Order ${orderId} is cancelled`)).toBeVisible()
  const back = (await credit()) - before
  expect(back).toBeGreaterThan(0n)
  await expect.poll(async () => BigInt((await api.order(orderId)).refunded)).toBe(back)
})
