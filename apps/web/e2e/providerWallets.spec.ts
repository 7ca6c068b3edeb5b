import type { Page } from '@playwright/test'
import { readMarket } from '@rackfair/sdk'
import { parseEther } from 'viem'
import { deploySmartAccount } from './deploySmartAccount.ts'
import { marketActor } from './marketActor.ts'
import { choose, connect, expect, openConnect, test } from './test.ts'

test('makes a provider of the development wallet: faucet, and three transactions without a prompt', async ({ page, market }) => {
  await page.goto(`${market.url}/addprovider`)
  await openConnect(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /Development wallet/ }).click()
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const faucet = page.getByRole('button', { name: 'Get test Credit and gas' })
  await faucet.click()
  await expect(faucet).toHaveCount(0)
  await becomeProvider(page, 'themis')
  await expect(dialog).toHaveCount(0)
})

test('makes a provider of a smart account, with approval and pledge in one batch', async ({ page, market, wallet }) => {
  const owner = await marketActor(market, wallet.account)
  wallet.smart = await deploySmartAccount(market.rpcUrl, wallet.account)
  wallet.canBatch = true
  await marketActor(market, { address: wallet.address, type: 'json-rpc' })
  await page.goto(`${market.url}/addprovider`)
  await connect(page, wallet)
  await becomeProvider(page, 'rhea')
  expect(wallet.asked.filter((method) => method === 'wallet_sendCalls')).toHaveLength(1)
  const pledged = await readMarket(owner.client, owner.addresses, 'pledge', 'pledgeOf', [wallet.address])
  expect(pledged).toBe(parseEther('1'))
})

/** Completes the wizard, from its first field to the pledge of 1 USD. */
async function becomeProvider(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('IP').fill('203.0.113.7')
  await page.getByLabel('Port').fill('7070')
  await page.getByRole('button', { name: 'Add Provider' }).click()
  await page.getByLabel('CPU model').click()
  await page.getByRole('option', { name: /Xeon Silver 4316/ }).click()
  await page.getByLabel('Cores per CPU').fill('20')
  await page.getByRole('button', { name: 'Add Node' }).click()
  await choose(page.getByRole('checkbox', { name: 'List it all the same' }))
  await page.getByRole('button', { name: 'Add Node' }).click()
  await expect(page.getByRole('row').filter({ hasText: `${name}-1` })).toContainText('$43.00')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Pledge', exact: true }).click()
  await expect(page.getByText('Pledge Submit Success')).toBeVisible()
  await expect(page.getByRole('definition').first()).toContainText('$1.00')
}
