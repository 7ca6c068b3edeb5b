import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractCall } from '@rackfair/sdk'
import { developmentAccounts, freePort, pidOf, type RunningMarket } from '@rackfair/testkit'
import { createTestClient, createWalletClient, http } from 'viem'
import { test as base, create, expect, purchaseUrl } from './buyerTest.ts'
import { openConnected } from './test.ts'

const CREDIT_LINK = 'https://example.org/credit'
const START_MS = 90_000

/** A second platform on the same market, from an installation without a faucet, as on every chain but the development one. */
const test = base.extend<{ faucetless: string }>({
  faucetless: async ({ market, outside }, use) => {
    const { url, stop } = await startWithoutFaucet(market)
    await use(url)
    await stop()
    const others = outside.filter((asked) => !asked.startsWith(url))
    outside.splice(0, outside.length, ...others)
  },
})

test('links to Credit as configured without a faucet, and reports missing gas separately', async ({
  page,
  market,
  provider,
  wallet,
  start,
  faucetless,
}) => {
  const chain = createTestClient({ mode: 'anvil', transport: http(market.rpcUrl) })
  await openConnected(page, wallet, purchaseUrl({ ...start, market: { url: faucetless } }))
  await expect(page.getByText('Your balance is $158.00 below the fee.')).toBeVisible()
  const link = page.getByRole('link', { name: 'Where to get Credit' })
  await expect(link).toHaveAttribute('href', CREDIT_LINK)
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(page.getByRole('button', { name: 'Get test Credit and gas' })).toBeHidden()

  const payer = createWalletClient({ account: developmentAccounts().faucet, transport: http(market.rpcUrl) })
  const pay = contractCall(provider.addresses, 'credit', 'transfer', [wallet.address, 158n * 10n ** 18n])
  await payer.writeContract({ ...pay, chain: null } as never)
  await expect(page.getByText('Your wallet has too little of the network’s own currency to pay for gas.')).toBeVisible()
  await expect(create(page)).toHaveAttribute('aria-disabled', 'true')
  await chain.setBalance({ address: wallet.address, value: 10n ** 18n })
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')

  await page.getByRole('button', { name: /^Account/ }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Get test Credit and gas' })).toBeHidden()
  await expect(page.getByRole('dialog').getByRole('link', { name: /Credit/ })).toHaveAttribute('href', CREDIT_LINK)
})

async function startWithoutFaucet(market: RunningMarket): Promise<{ url: string; stop: () => Promise<void> }> {
  const [command, ...given] = readFileSync(`/proc/${pidOf(market.stateDir, 'platform')}/cmdline`, 'utf8')
    .split('\0')
    .slice(0, -1)
  const port = await freePort()
  const site = join(market.stateDir, 'site.json')
  writeFileSync(site, JSON.stringify({ creditLink: CREDIT_LINK }))
  const changed: Record<string, string> = { '--port': `${port}` }
  const args = given.flatMap((arg, index) => {
    if (arg === '--faucet-key-env' || given[index - 1] === '--faucet-key-env') return []
    return [changed[given[index - 1] ?? ''] ?? arg]
  })
  const child = spawn(command ?? '', [...args, '--role', 'api', '--site', site], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  for (const limit = Date.now() + START_MS; Date.now() < limit; await new Promise((resolve) => setTimeout(resolve, 100))) {
    if (
      await fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { url, stop }
  }
  await stop()
  throw new Error('the platform without a faucet did not start')
}
