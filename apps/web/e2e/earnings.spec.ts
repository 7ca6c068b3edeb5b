import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { formatGatewayProof } from '@rackfair/protocol/agentTexts'
import { addNodeCall, contractCall, getBalances, readEarnings, readMarket, removeNodeCall } from '@rackfair/sdk'
import { publishMarket, type RunningMarket } from '@rackfair/testkit'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { type MarketActor, marketActor } from './marketActor.ts'
import { passTime, passTimeOnChain } from './passTime.ts'
import { takePicture } from './takePicture.ts'
import { connect, expect, openConnected, test } from './test.ts'

const DAY = 86_400

test('settles, shows and withdraws the earnings of each node, to the own or another address', async ({
  page,
  market,
  wallet,
}) => {
  const { provider, buyer } = await sold(market, wallet.account, 'ceres', 2)
  await openConnected(page, wallet, `${market.url}/providerinfo?tab=orders`)
  await passTime(page, market, 2 * DAY)
  await page.reload()
  const earnings = card(page, 'To withdraw')
  const withdraw = earnings.getByRole('button', { name: 'Withdraw', exact: true })
  await expect(withdraw).toHaveAccessibleDescription(/nothing to withdraw/)

  await page.getByRole('button', { name: 'Settle all (2)' }).click()
  await expect(page.getByText('Settled', { exact: true })).toBeVisible()
  const first = await earnedBy(provider)
  expect(first).toBeGreaterThan(parseEther('25'))
  await expect(earnings.getByTitle(usd(first)).first()).toBeVisible()

  await page.getByRole('tab', { name: 'Earnings' }).click()
  const node = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(node('ceres-1')).toContainText('50%')
  await expect(node('ceres-2')).toContainText('50%')
  await takePicture(page, '28-own-earnings', [1440])
  await page.getByRole('slider', { name: /Earned per day/ }).press('ArrowLeft')
  await expect(page.getByRole('slider', { name: /Earned per day/ })).toHaveAttribute('aria-valuetext', /Earned \$0\.00/)

  const had = await creditOf(provider, provider.address)
  await withdraw.click()
  await expect(page.getByText(/^\$[\d.]+ withdrawn$/)).toBeVisible()
  expect((await creditOf(provider, provider.address)) - had).toBe(first)
  await expect(withdraw).toHaveAccessibleDescription(/nothing to withdraw/)
  await expect(earnings).toContainText('Withdrawn so far $')

  await passTime(page, market, DAY / 2)
  await page.goto(`${market.url}/providerinfo?tab=orders`)
  await page
    .getByRole('button', { name: /^Settle order/ })
    .first()
    .click()
  await expect(page.getByText('Settled', { exact: true })).toBeVisible()
  const second = await earnedBy(provider)
  await earnings.getByRole('button', { name: 'Withdraw to another address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Recipient').fill('0x1234')
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(dialog.getByLabel('Recipient')).toHaveAccessibleDescription(/not an address/)
  await isAccessibleInEveryLook(page)
  const before = await creditOf(provider, buyer.address)
  await dialog.getByLabel('Recipient').fill(buyer.address)
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(dialog).toBeHidden()
  expect((await creditOf(provider, buyer.address)) - before).toBe(second)
})

test('appoints, changes and dismisses the operator key', async ({ page, market, wallet }) => {
  const provider = await marketActor(market, wallet.account)
  await provider.becomeProvider('vesta')
  const [first, second] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key).address) as [
    `0x${string}`,
    `0x${string}`,
  ]
  const operator = async () =>
    (await readMarket(provider.client, provider.addresses, 'registry', 'get', [provider.address])).operator
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  const dialog = page.getByRole('dialog')
  const input = dialog.getByLabel('Operator address')
  const appoint = dialog.getByRole('button', { name: 'Appoint operator' })
  await page.getByRole('button', { name: 'Appoint operator key' }).click()
  for (const [typed, problem] of [
    ['', /not an address/],
    [`0x${'0'.repeat(40)}`, /zero address/],
    [provider.address, /your own wallet/],
  ] as const) {
    await input.fill(typed)
    await appoint.click()
    await expect(input).toHaveAccessibleDescription(problem)
  }
  await input.fill(first)
  await input.press('Enter')
  await appoint.click()
  await expect(page.getByText('Operator appointed')).toBeVisible()
  expect(await operator()).toBe(first)

  await page.getByRole('button', { name: 'Change operator key' }).click()
  await input.fill(first)
  await appoint.click()
  await expect(input).toHaveAccessibleDescription(/already appointed/)
  await input.fill(second)
  await appoint.click()
  await expect(dialog).toBeHidden()
  expect(await operator()).toBe(second)

  await page.getByRole('button', { name: 'Change operator key' }).click()
  await dialog.getByRole('button', { name: 'Dismiss operator' }).click()
  await expect(page.getByText('Operator dismissed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Appoint operator key' })).toBeVisible()
  expect(BigInt(await operator())).toBe(0n)
})

test('tests the registered address: nothing there, something else, the agent', async ({ page, market, wallet }) => {
  const provider = await marketActor(market, wallet.account)
  let proves = false
  const server = createServer(async (request, response) => {
    const challenge = new URL(request.url ?? '', 'http://agent').searchParams.get('challenge') ?? ''
    const message = formatGatewayProof({ chainId: 2985, provider: provider.address, challenge })
    const signature = proves ? await wallet.account.signMessage({ message }) : '0x00'
    response.end(JSON.stringify({ signature }))
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  server.close()
  await provider.becomeProvider('iris', { ip: '127.0.0.1', port })

  await openConnected(page, wallet, `${market.url}/providerinfo`)
  const knock = page.getByRole('button', { name: 'Test the address' })
  await knock.press('Enter')
  await expect(page.getByRole('alert')).toContainText(`Nothing listens at 127.0.0.1:${port}`)
  await listen(port)
  await knock.click()
  await expect(page.getByText(`Something else answers at 127.0.0.1:${port}`)).toBeVisible()
  proves = true
  await knock.click()
  await expect(page.getByText(`Your agent answers at 127.0.0.1:${port}`)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  server.close()
  server.closeAllConnections()
})

test('withdraws earnings of a draining market with the rest, by a smart account in one step', async ({
  page,
  market,
  wallet,
}) => {
  wallet.canBatch = true
  const { provider, buyer, orders } = await sold(market, wallet.account, 'metis', 1)
  await provider.send(addNodeCall(provider.addresses, provider.node))
  await publishMarket({ rpcUrl: market.rpcUrl, access: provider.addresses.access })
  const later = await buyer.buy(provider.address, 2n)
  const current = await readMarket(provider.client, provider.addresses, 'access', 'marketOf', [later])
  await provider.send(contractCall(provider.addresses, 'market', 'activate', [later], current))
  await page.goto(`${market.url}/providerinfo?tab=orders`)
  await connect(page, wallet)
  await passTime(page, market, 2 * DAY)
  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('button', { name: 'Settle all (2)' }).click()
  await expect(page.getByText('Settled', { exact: true })).toBeVisible()
  const earnings = card(page, 'To withdraw')
  await expect(earnings).toContainText('Of that in earlier markets $')
  await expect(earnings).toContainText('It is held in 2 markets')
  const held = await readEarnings(provider.client, provider.addresses, provider.address)
  expect(held.map(({ earnedWei }) => earnedWei > 0n)).toEqual([true, true])
  const all = held.reduce((sum, { earnedWei }) => sum + earnedWei, 0n)
  await expect(earnings.getByTitle(usd(all)).first()).toBeVisible()

  const had = await creditOf(provider, provider.address)
  await earnings.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByText(/^\$[\d.]+ withdrawn$/)).toBeVisible()
  expect((await creditOf(provider, provider.address)) - had).toBe(all)
  expect(wallet.asked.filter((method) => method === 'wallet_sendCalls')).toHaveLength(2)
  expect(wallet.asked).not.toContain('eth_sendTransaction')
  await expect(earnings).not.toContainText('Of that in earlier markets')
  expect(orders).toHaveLength(1)
})

test('shows interest on a locked pledge growing, withdraws it, and unpledges what no order locks', async ({
  page,
  market,
  wallet,
}) => {
  const provider = await marketActor(market, wallet.account)
  // One day of this node costs 292 USD, 73 less than the pledge.
  const node = { ...provider.node, nCPU: 1, pCPU: parseEther('8760'), nGPU: 0, nMEM: 0, nDISK: 0 }
  await provider.becomeProvider('juno', { pledge: '365', node })
  const buyer = await marketActor(market, privateKeyToAccount(generatePrivateKey()))
  const order = await buyer.buy(provider.address, 1n)
  await provider.send(contractCall(provider.addresses, 'market', 'activate', [order]))
  const sponsor = await marketActor(market, privateKeyToAccount(generatePrivateKey()))
  await sponsor.send(contractCall(sponsor.addresses, 'credit', 'approve', [sponsor.addresses.pledge, parseEther('100')]))
  await sponsor.send(contractCall(sponsor.addresses, 'pledge', 'fundInterest', [parseEther('100')]))
  await passTimeOnChain(market, 41 * DAY)
  await openConnected(page, wallet, `${market.url}/providerinfo?tab=pledge`)
  await expect(page.getByRole('slider', { name: 'Interest over time' })).toHaveAttribute('aria-valuetext', /earned \$1\.6\d/)

  const had = await creditOf(provider, provider.address)
  const pledge = card(page, 'Pledge')
  await pledge.getByRole('button', { name: 'Withdraw interest' }).click()
  await expect(page.getByText(/^\$1\.6\d+ of interest withdrawn$/)).toBeVisible()
  const paid = (await creditOf(provider, provider.address)) - had
  expect(paid).toBeGreaterThan(parseEther('1.6'))
  await expect(page.getByRole('row').filter({ hasText: 'Interest withdrawn' }).getByTitle(usd(paid))).toBeVisible()

  await pledge.getByRole('button', { name: 'Pledge or withdraw' }).click()
  const dialog = page.getByRole('dialog')
  const quantity = dialog.getByLabel('Amount')
  const unpledge = dialog.getByRole('button', { name: 'UnPledge' })
  await quantity.fill('365.01')
  await expect(unpledge).toHaveAccessibleDescription('This is more than is pledged.')
  await quantity.fill('73.01')
  await expect(unpledge).toHaveAccessibleDescription('More than is free: the rest is locked behind orders until they are closed.')
  await expect(dialog).toContainText('$292.00 is locked behind orders')
  await provider.send(contractCall(provider.addresses, 'market', 'proSettle', [order]))
  await expect(dialog).toContainText('$0.00 is locked behind orders')
  await quantity.fill('364.5')
  await expect(unpledge).toHaveAccessibleDescription('Either 1 USD or nothing may remain.')
  await quantity.fill('364')
  await unpledge.click()
  await expect(page.getByText('Unpledge Submit Success')).toBeVisible()
  await expect(dialog.getByRole('definition').first()).toContainText('$1.00')
  await dialog.getByRole('button', { name: 'All of it' }).click()
  await expect(quantity).toHaveValue('1')
  await expect(unpledge).toHaveAccessibleDescription(/^The whole pledge can only be taken back once none of your nodes is listed/)
  await provider.send(removeNodeCall(provider.addresses, 1n))
  await expect(unpledge).toBeEnabled()
  await unpledge.click()
  await expect(dialog.getByRole('definition').first()).toContainText('$0.00')
  await expect(unpledge).toHaveAccessibleDescription('Nothing is pledged.')
  await page.keyboard.press('Escape')
  await expect(pledge).toContainText('Below the minimum: your nodes cannot be bought.')
  await expect(page.getByRole('row').filter({ hasText: 'Taken back' })).toHaveCount(2)
  expect(await readMarket(provider.client, provider.addresses, 'pledge', 'pledgeOf', [provider.address])).toBe(0n)
})

/** A provider with all nodes sold to one buyer and running. */
async function sold(market: RunningMarket, account: Parameters<typeof marketActor>[1], name: string, nodes: number) {
  const provider = await marketActor(market, account)
  await provider.becomeProvider(name, { nodes })
  const buyer = await marketActor(market, privateKeyToAccount(generatePrivateKey()))
  const orders: bigint[] = []
  for (let node = 1; node <= nodes; node += 1) {
    const id = await buyer.buy(provider.address, BigInt(node))
    await provider.send(contractCall(provider.addresses, 'market', 'activate', [id]))
    orders.push(id)
  }
  return { provider, buyer, orders }
}

function card(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true }).first()
}

/** The title of an amount, with all of its digits. */
function usd(wei: bigint): string {
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 18,
  }).format(`${wei / 10n ** 18n}.${String(wei % 10n ** 18n).padStart(18, '0')}` as Intl.StringNumericLiteral)
}

async function earnedBy(provider: MarketActor): Promise<bigint> {
  return readMarket(provider.client, provider.addresses, 'market', 'earned', [provider.address])
}

async function creditOf(actor: MarketActor, address: `0x${string}`): Promise<bigint> {
  return (await getBalances(actor.client, actor.addresses, address)).creditWei
}
