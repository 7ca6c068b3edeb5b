import type { Page } from '@playwright/test'
import { contractCall, quoteOrder } from '@rackfair/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { isAccessible, isAccessibleInEveryLook } from './isAccessible.ts'
import { marketActor } from './marketActor.ts'
import { openAgentLine } from './openAgentLine.ts'
import { choose, expect, openConnected, test } from './test.ts'

test('becomes a provider: registers, lists two nodes, pledges, edits, switches, unpledges', async ({ page, market, wallet }) => {
  await marketActor(market, wallet.account)
  // Only machines that can be bought have a median, and this provider pledges too little for that.
  const rival = privateKeyToAccount(generatePrivateKey())
  await (await marketActor(market, rival)).becomeProvider('astraea')
  const rivalLine = await openAgentLine(market, rival)
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  await page.getByRole('banner').getByRole('link', { name: 'Earn' }).click()
  await page.getByRole('link', { name: 'Become a Provider' }).click()
  const steps = page.getByRole('navigation', { name: 'Steps to become a provider' })
  await expect(steps.getByRole('listitem')).toHaveText([
    /1Registering a Provider/,
    /2Adding Nodes/,
    /3Pledge/,
    /4Start your agent/,
  ])

  const next = page.getByRole('button', { name: 'Next' })
  await expect(next).toHaveAccessibleDescription('Register the provider first.')
  await page.getByRole('button', { name: 'Add Provider' }).click()
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/Required/)
  await page.getByLabel('Name').fill('helios')
  await page.getByLabel('IP').fill('not an address')
  await page.getByLabel('Port').fill('65536')
  await expect(page.getByLabel('IP')).toHaveAccessibleDescription(/IPv4 or IPv6/)
  await expect(page.getByLabel('Port')).toHaveAccessibleDescription(/1 to 65535\.$/)
  await page.getByLabel('IP').fill('203.0.113.7')
  await page.getByLabel('Port').fill('7070')
  await page.reload()
  await expect(page.getByLabel('Name')).toHaveValue('helios')

  wallet.refuseNext('eth_sendTransaction')
  await page.getByRole('button', { name: 'Add Provider' }).click()
  await expect.poll(() => wallet.asked.includes('eth_sendTransaction')).toBe(true)
  await page.getByRole('button', { name: 'Add Provider' }).click()
  const notices = page.getByRole('region', { name: 'Notifications' })
  await expect(notices).toContainText('Create Provider Submit Success')
  await expect(notices).toContainText('It is on the chain. Every page shows it within seconds.')
  await expect(steps.locator('[aria-current=step]')).toContainText('Adding Nodes')

  await page.getByRole('button', { name: 'Previous' }).click()
  const add = page.getByRole('button', { name: 'Add Provider' })
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await expect(add).toHaveAccessibleDescription('This wallet is registered as a provider.')
  await next.click()

  await page.getByRole('button', { name: 'Add Node' }).click()
  await expect(page.getByText('Some fields need your attention.')).toBeVisible()
  await expect(page.getByLabel('CPU model')).toBeFocused()
  await page.getByLabel('CPU model').press('ArrowDown')
  await page.getByRole('option', { name: /Xeon Silver 4316/ }).click()
  await expect(page.getByLabel('CPU price (USD/CPU/month)')).toHaveValue('43')
  await page.getByLabel('Cores per CPU').fill('20')
  await page.getByLabel('GPU model').click()
  await page.getByRole('option', { name: /RTX 4090/ }).click()
  await expect(page.getByLabel('GPU price (USD/GPU/month)')).toHaveValue('133')
  await page.getByLabel('Number of GPUs').fill('2')
  await page.getByLabel('Storage space (TB)').fill('1.5')
  await page.getByLabel('Storage price (USD/TB/month)').fill('6')
  await page.getByLabel('Memory (GB)').fill('128')
  await page.getByLabel('Memory price (USD/GB/month)').fill('0.125')
  await expect(page.getByRole('region', { name: 'Monthly income' })).toContainText('$334.00')
  await page.reload()
  await expect(page.getByLabel('Storage space (TB)')).toHaveValue('1.5')
  await page.getByRole('button', { name: 'Add Node' }).click()
  await expect(notices).toContainText('Create Node Submit Success')
  await expect(row(page, 'helios-1')).toContainText('$334.00')
  await expect(page.getByLabel('CPU model')).toHaveValue('')

  const asked = wallet.asked.length
  const gpuModel = page.getByLabel('GPU model')
  await gpuModel.fill('RTX 4090')
  await gpuModel.press('Enter')
  await expect(page.getByLabel('GPU price (USD/GPU/month)')).toHaveValue('133')
  await page.getByLabel('Number of CPUs').fill('0')
  await gpuModel.fill('Home-made card')
  await page.getByLabel('Number of GPUs').fill('')
  await gpuModel.press('Enter')
  await page.getByRole('button', { name: 'Add Node' }).click()
  await expect(page.getByLabel('Number of GPUs')).toHaveAccessibleDescription(
    'How many of this model? Clear the model if there are none.',
  )
  await page.getByLabel('Number of GPUs').fill('1')
  await page.getByLabel('GPU price (USD/GPU/month)').fill('0.0000000001')
  await expect(page.getByLabel('GPU price (USD/GPU/month)')).toHaveAccessibleDescription(/At most 9 decimals/)
  await page.getByLabel('GPU price (USD/GPU/month)').fill('12.5')
  await page.getByLabel('GPU price (USD/GPU/month)').press('Enter')
  await page.getByRole('button', { name: 'Add Node' }).click()
  await expect(page.getByText('A machine without a CPU, memory, and storage')).toBeVisible()
  const anyway = page.getByRole('checkbox', { name: 'List it all the same' })
  await expect(anyway).toBeFocused()
  expect(wallet.asked.length, 'nothing to sign yet').toBe(asked)
  await choose(anyway)
  await page.getByRole('button', { name: 'Add Node' }).click()
  await expect(row(page, 'helios-2')).toContainText('Home-made card')
  await next.click()
  await expect(steps.locator('[aria-current=step]')).toContainText('Pledge')

  await page.goto(`${market.url}/providerinfo?tab=pledge`)
  await expect(page.getByRole('tabpanel')).toContainText('Nothing pledged yet')
  await page.goto(`${market.url}/addprovider?step=3`)
  const quantity = page.getByLabel('Amount')
  const pledge = page.getByRole('button', { name: 'Pledge', exact: true })
  const unpledge = page.getByRole('button', { name: 'UnPledge' })
  await expect(quantity).toHaveValue('1')
  await expect(page.getByText('at least $1', { exact: true })).toBeVisible()
  await expect(unpledge).toHaveAccessibleDescription('Nothing is pledged.')
  await quantity.fill('0.5')
  await expect(pledge).toHaveAccessibleDescription(/Min pledge 1 USD/)
  await quantity.fill('1000000000')
  await expect(pledge).toHaveAccessibleDescription('Your balance is below the entered amount.')
  await quantity.fill('3')
  await page.reload()
  await expect(quantity).toHaveValue('1')
  await quantity.fill('3')
  await pledge.click()
  await expect(page.getByText('Pledge Submit Success')).toBeVisible()
  await expect(page.getByRole('definition').first()).toContainText('$3.00')

  await quantity.fill('4')
  await expect(unpledge).toHaveAccessibleDescription('This is more than is pledged.')
  await quantity.fill('2.5')
  await expect(unpledge).toHaveAccessibleDescription('Either 1 USD or nothing may remain.')
  await quantity.fill('1')
  await unpledge.click()
  await expect(page.getByText('Unpledge Submit Success')).toBeVisible()
  await expect(page.getByRole('definition').first()).toContainText('$2.00')

  await next.click()
  await expect(steps.locator('[aria-current=step]')).toContainText('Start your agent')
  const left = page.getByRole('region', { name: 'You are listed; start your agent' })
  await expect(page.getByTestId('agent-line')).toHaveText(
    new RegExp(`^rackfair-agent init --rpc ${market.rpcUrl} --platform ${market.url} --provider ${wallet.account.address}$`, 'i'),
  )
  await expect(left).toContainText('Waiting for your agent…')
  await isAccessibleInEveryLook(page)
  const line = await openAgentLine(market, wallet.account)
  await expect(page.getByRole('region', { name: 'Your nodes are on the market' })).toContainText('Your agent is connected')
  line.close()
  await page.getByRole('link', { name: 'Go to my provider page' }).click()
  await expect(page.getByText('203.0.113.7')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add a Node' })).toBeVisible()
  await page.getByRole('button', { name: 'More actions for helios-1' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveAccessibleDescription('Nothing has changed yet.')
  await expect(page.getByLabel('GPU price (USD/GPU/month)')).toHaveAccessibleDescription(/Market median \$133\.00 \(\d+ nodes?\)/)
  rivalLine.close()
  await page.getByLabel('GPU price (USD/GPU/month)').fill('140')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(row(page, 'helios-1')).toContainText('$348.00')

  const sale = page.getByRole('switch', { name: 'Offer helios-2 for sale' })
  await expect(sale).toBeChecked()
  await sale.press('Space')
  await expect(page.getByText('helios-2 is off the market')).toBeVisible()
  await expect(sale).not.toBeChecked()

  await page.getByRole('button', { name: 'Edit provider' }).click()
  const dialog = page.getByRole('dialog')
  await isAccessibleInEveryLook(page)
  await dialog.getByLabel('Domain').fill('helios.example')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('helios.example')).toBeVisible()

  await page.getByRole('button', { name: 'More actions for helios-2' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await isAccessibleInEveryLook(page)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('helios-2 removed')).toBeVisible()
  await expect(row(page, 'helios-2')).toHaveCount(0)

  await page.goto(`${market.url}/nodelist`)
  await expect(page.getByText('helios-1').first()).toBeVisible()
})

test('keeps sold nodes and the pledge unchanged during an order, and lets the provider drop it', async ({
  page,
  market,
  wallet,
}) => {
  const provider = await marketActor(market, wallet.account)
  await provider.becomeProvider('selene')
  const buyer = await marketActor(market, privateKeyToAccount(generatePrivateKey()))
  const { feeWei, rev, conditions } = await quoteOrder(buyer.client, buyer.addresses, wallet.account.address, 1n, MONTH)
  await buyer.send(contractCall(buyer.addresses, 'credit', 'approve', [buyer.addresses.market, feeWei]))
  await buyer.send(
    contractCall(buyer.addresses, 'market', 'createOrder', [
      { provider: wallet.account.address, nodeId: 1n, rev, duration: MONTH, maxFee: feeWei, conditions, app: '' },
    ]),
  )

  await openConnected(page, wallet, `${market.url}/addnode?id=1`)
  await expect(page.getByText('A sold node cannot be edited')).toBeVisible()
  await page.getByRole('link', { name: 'Back to my nodes' }).click()
  await page.getByRole('button', { name: 'More actions for selene-1' }).click()
  await expect(page.getByRole('menuitem', { name: 'Remove' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('menuitem', { name: 'Remove' })).toContainText('A sold node cannot be removed.')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Pledge or withdraw' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'All of it' }).click()
  await expect(dialog.getByRole('button', { name: 'UnPledge' })).toBeEnabled()
  await dialog.getByLabel('Amount').fill('300')
  await expect(dialog.getByRole('button', { name: 'UnPledge' })).toHaveAccessibleDescription(
    'More than is free: the rest is locked behind orders until they are closed.',
  )
  await isAccessibleInEveryLook(page)
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Orders' }).click()
  await page.getByRole('button', { name: 'Start now' }).click()
  await expect(page.getByText(/Order \d+ started/)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'selene-1' })).toContainText('Probation')
  await page.reload()
  await page.getByRole('button', { name: /^Cancel order \d+/ }).click()
  await expect(dialog).toContainText('one hour of its price out of your pledge')
  await expect(dialog).toContainText(/The buyer gets back\$380\.\d+You are paid\$0\.\d+Taken from your pledge\$0\.527777/)
  await isAccessibleInEveryLook(page)
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('No open orders.')).toBeVisible()
  await page.getByText('All', { exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'selene-1' })).toContainText('Cancelled by you')

  await page.getByRole('button', { name: 'Appoint operator key' }).click()
  await dialog.getByLabel('Operator address').fill('0x12')
  await dialog.getByRole('button', { name: 'Appoint operator' }).click()
  await expect(dialog.getByLabel('Operator address')).toHaveAccessibleDescription(/not an address/)
  await isAccessibleInEveryLook(page)
  await dialog.getByLabel('Operator address').fill(buyer.client.account.address)
  await dialog.getByRole('button', { name: 'Appoint operator' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Change operator key' })).toBeVisible()
})

test('shows every provider screen accessibly in both languages and themes, on a phone too', { tag: '@long' }, async ({
  page,
  market,
  wallet,
}) => {
  test.setTimeout(600_000)
  const provider = await marketActor(market, wallet.account)
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  await expect(page.getByText('You are not a provider yet')).toBeVisible()
  await isAccessible(page)
  await provider.becomeProvider('pallas')
  for (const [path, sign] of SCREENS) {
    await page.goto(market.url + path)
    await expect(page.locator(sign).first()).toBeVisible({ timeout: 60_000 })
    await isAccessibleInEveryLook(page)
  }
})

const MONTH = 2_592_000
/** Each address, and what shows that it has loaded. */
const SCREENS = [
  ['/providerinfo', '[role=switch]'],
  ['/providerinfo?tab=orders', '[role=tabpanel][data-state=active] h2'],
  ['/providerinfo?tab=earnings', '[role=tabpanel][data-state=active] h2'],
  ['/providerinfo?tab=pledge', '[role=tabpanel][data-state=active] h2'],
  ['/addprovider?step=1', 'main input[name=name]'],
  ['/addprovider?step=2', 'main table'],
  ['/addprovider?step=3', 'main input[name=quantity]'],
  ['/addnode', 'main input[name=pGPU]'],
  ['/addnode?id=1', 'main input[name=pGPU]'],
] as const

function row(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name })
}
