import { contractAbis } from '@rackfair/sdk'
import type { Abi } from 'viem'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { marketActor } from './marketActor.ts'
import { connect, expect, test } from './test.ts'

/** Otherwise a tenth of each contract's: opening is the same code for all, and `everyFunction.test.ts` covers the parameters of each. */
const opensAll = process.env.RACKFAIR_DEEP === '1'
const turn = Number(process.env.RACKFAIR_SEED ?? 0)

/** The panel that offers a wallet has its own test; here it would be in the way. */
test.beforeEach(async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
})

test('reads without a wallet, validates parameters, and shares a call by its URL', async ({ page, market, context }) => {
  await page.goto(`${market.url}/test`)
  const list = page.getByRole('navigation', { name: 'Functions' })
  await expect(list.getByRole('status')).toHaveText(/^1\d\d functions$/)
  await list.getByLabel('Search functions').fill('feeorder')
  await expect(list.getByRole('button')).toHaveCount(1)
  await list.getByLabel('Search functions').fill('list_node')
  await list.getByRole('button', { name: /list_node/ }).press('Enter')
  await expect(page.getByRole('heading', { name: 'registry.list_node' })).toBeFocused()

  const parameters = page.getByLabel('Parameters (JSON)')
  await expect(parameters).toHaveValue(/"num": "20"/)
  const run = page.getByRole('button', { name: 'Run' })
  await parameters.fill('{ "cp": "0x12", "start": "x", "number": 1 }')
  for (const issue of [
    'number is not a parameter',
    'cp (address) must be an address',
    'start (uint256) must be',
    'num (uint256) is missing',
  ])
    await expect(page.getByRole('listitem').filter({ hasText: issue })).toBeVisible()
  await expect(run).toHaveAttribute('aria-disabled', 'true')
  await parameters.fill('{\n  "cp": oops }')
  await expect(page.getByText('look at line 2, column 9')).toBeVisible()
  await page.getByRole('button', { name: 'Prefill again' }).click()
  await run.click()
  const output = page.getByRole('region', { name: 'Output' })
  await expect(output.locator('pre')).toHaveText('[]')

  await parameters.fill(JSON.stringify({ cp: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', start: '0', num: '201' }))
  await run.click()
  await expect(output).toContainText('The contract refuses this call')
  await expect(output).toContainText('PageTooLong')
  await expect(output.getByRole('definition').filter({ hasText: '201' })).toBeVisible()
  await expect(output.getByRole('definition').filter({ hasText: '200' })).toBeVisible()

  await page.getByRole('button', { name: 'Copy link' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('/test?contract=registry&function=list_node&args=')
  const link = await copied()
  await expect(page).toHaveURL(link)
  const other = await context.newPage()
  await other.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
  await other.goto(link)
  await expect(other.getByLabel('Parameters (JSON)')).toHaveValue(/"num": "201"/)
  await other.close()

  await page.getByRole('button', { name: 'Copy as TypeScript' }).click()
  await expect
    .poll(copied)
    .toContain("readMarket(client, addresses, 'registry', 'list_node', ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 0n, 201n])")
  const history = page.getByRole('region', { name: 'History of this session' })
  await expect(history.getByRole('row').nth(1)).toContainText('PageTooLong')
  await page.reload()
  await history.getByRole('row').nth(2).getByRole('button').click()
  await expect(parameters).toHaveValue(/"num": "20"/)
})

test('lists every function of the five ABIs, and opens them by keyboard with valid parameters', async ({ page, market }) => {
  await page.goto(`${market.url}/test`)
  const list = page.getByRole('navigation', { name: 'Functions' })
  const parameters = page.getByLabel('Parameters (JSON)')
  const opened: string[] = []
  for (const [contract, abi] of Object.entries(contractAbis)) {
    const names = (abi as Abi).filter((item) => item.type === 'function').map((item) => item.name)
    const group = list.getByRole('region', { name: contract.charAt(0).toUpperCase() + contract.slice(1), exact: true })
    await expect(group.getByRole('button')).toHaveCount(names.length)
    const every = opensAll ? 1 : Math.min(10, names.length)
    for (const name of names.filter((_, place) => place % every === turn % every)) {
      await group.getByRole('button', { name: new RegExp(`^${name} (read|write)$`, 'i') }).press('Enter')
      await expect(page.getByRole('heading', { name: `${contract}.${name}`, exact: true })).toBeFocused()
      await expect(page).toHaveURL(new RegExp(`contract=${contract}&function=${name}(&|$)`))
      if (await parameters.isVisible()) expect(JSON.parse(await parameters.inputValue())).toBeInstanceOf(Object)
      await expect(page.getByRole('button', { name: /^(Run|Simulate)$/ })).not.toHaveAttribute('aria-disabled', 'true')
      opened.push(`${contract}.${name}`)
    }
  }
  expect(new Set(opened).size).toBeGreaterThan(opensAll ? 100 : 9)
})

test('simulates a write before sending it, decodes its events, and shows a revert with its arguments', async ({
  page,
  market,
  wallet,
}) => {
  await marketActor(market, wallet.account)
  await page.goto(`${market.url}/test?contract=registry&function=register`)
  const simulate = page.getByRole('button', { name: 'Simulate' })
  const send = page.getByRole('button', { name: 'Send' })
  const output = page.getByRole('region', { name: 'Output' })
  await expect(send).toHaveAccessibleDescription('Connect a wallet to send it.')
  await connect(page, wallet)
  await expect(send).toHaveAccessibleDescription(/Simulate it first/)
  await simulate.click()
  await expect(output).toContainText('LengthOutOfBounds')
  await expect(output.getByRole('definition').filter({ hasText: 'name' })).toBeVisible()
  expect(wallet.asked).not.toContain('eth_sendTransaction')

  const parameters = page.getByLabel('Parameters (JSON)')
  const input = { name: 'orpheus', ip: '203.0.113.9', domain: '', port: 7070 }
  await parameters.fill(JSON.stringify({ input }))
  await simulate.click()
  await expect(output).toContainText('It would succeed.')
  await expect(output.getByRole('definition').first()).toHaveText(/^[\d,]{6,}$/)
  await parameters.fill(JSON.stringify({ input: { ...input, port: 7071 } }))
  await expect(send).toHaveAccessibleDescription(/Simulate it first/)
  await simulate.click()
  await expect(send).not.toHaveAttribute('aria-disabled', 'true')
  wallet.refuseNext('eth_sendTransaction')
  await send.click()
  await expect.poll(() => wallet.asked.includes('eth_sendTransaction')).toBe(true)
  await simulate.click()
  await send.click()
  await expect(output).toContainText('Confirmed')
  await expect(output.locator('figure')).toContainText(['registry.ProviderRegistered'])
  await expect(output.locator('pre')).toContainText('"port": 7071')

  await simulate.click()
  await expect(output).toContainText('AlreadyRegistered')
  await expect(output.getByRole('definition').filter({ hasText: wallet.account.address })).toBeVisible()

  await page.goto(`${market.url}/test?contract=registry&function=set_sold`)
  await simulate.click()
  await expect(output).toContainText('NotMarket')

  await page.goto(`${market.url}/test?contract=credit&function=mint`)
  await expect(parameters).toHaveValue(new RegExp(wallet.account.address))
  await simulate.click()
  await expect(output).toContainText('OwnableUnauthorizedAccount')
})

test('is accessible in both languages and themes, and fits a phone', { tag: '@long' }, async ({ page, market }) => {
  test.setTimeout(600_000)
  for (const query of ['', '?contract=access&function=current', '?contract=market&function=createOrder']) {
    await page.goto(`${market.url}/test${query}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (query !== '') {
      const button = page.getByRole('button', { name: /^(Run|Simulate)$/ })
      await expect(button).not.toHaveAttribute('aria-disabled', 'true')
      await button.click()
      await expect(page.locator('pre, details').first()).toBeVisible()
    }
    await isAccessibleInEveryLook(page)
  }
})
