import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deployMarket } from '@rackfair/contracts/deploy'
import { parseDeployConfig } from '@rackfair/contracts/deployConfig'
import { ONE_CREDIT_WEI } from '@rackfair/core'
import { contractCall, getOrder, type MarketAddresses, sendCall, waitForReceipt } from '@rackfair/sdk'
import { developmentAccounts, startAnvil } from '@rackfair/testkit'
import { createPublicClient, createWalletClient, type Hex, http, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './readGuide.ts'

let market: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  market = await setup()
})
afterAll(() => market.stop())

test('the programs of the developer guide offer a node, buy it, and cancel the order', async () => {
  const { provider, user } = developmentAccounts()
  expect(await market.run('offer.ts', [], provider)).toContain('offers node 1')

  expect(await market.run('buy.ts', [provider.address, '1'], user)).toContain('order 1 for 200000000000000000000 wei')
  expect(await getOrder(market.client, market.addresses, 1n)).toMatchObject({ user: user.address, status: 1 })

  expect(await market.run('leave.ts', ['1'], user)).toContain('back to the buyer: 200 Credit')
  expect(await getOrder(market.client, market.addresses, 1n)).toMatchObject({ status: 4, remain: 0n })

  expect(await market.run('leave.ts', ['1'], user)).toContain('refused: WrongStatus')
})

async function setup() {
  const anvil = await startAnvil({ blockTime: 0 })
  const transport = http(anvil.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
  const { owner, user, provider } = developmentAccounts()
  const wallet = createWalletClient({ account: owner, transport })
  const config = parseDeployConfig(JSON.parse(readFileSync(`${ROOT}contracts/script/config/2985.json`, 'utf8')))
  const { access, registry, pledge, market, credit } = await deployMarket({
    publicClient: client as never,
    walletClient: wallet,
    config,
  })
  const addresses: MarketAddresses = { access, registry, pledge, market, credit }
  for (const account of [user, provider]) {
    const mint = contractCall(addresses, 'credit', 'mint', [account.address, 1000n * ONE_CREDIT_WEI])
    await waitForReceipt(client, await sendCall(client, wallet, mint))
  }

  const run = (name: string, args: string[], account: typeof user): Promise<string> => {
    const key: Hex = toHex(account.getHdKey().privateKey ?? new Uint8Array())
    const file = fileURLToPath(new URL(`../snippets/${name}`, import.meta.url))
    const env = { ...process.env, RPC_URL: anvil.rpcUrl, ACCESS: access, PRIVATE_KEY: key }
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
      child.once('error', reject)
      child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`${name} ended with ${code}: ${output}`))))
    })
  }
  return { client, addresses, run, stop: anvil.stop }
}
