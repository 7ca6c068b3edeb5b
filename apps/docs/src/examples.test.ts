import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployMarket } from '@rackfair/contracts/deploy'
import { parseDeployConfig } from '@rackfair/contracts/deployConfig'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import {
  buyOrder,
  type ContractCall,
  cancelOrder,
  connectMarket,
  contractCall,
  getNode,
  type MarketAddresses,
  sendCall,
  updateNodeCall,
  waitForReceipt,
  withAccount,
} from '@rackfair/sdk'
import { developmentAccounts, startAnvil } from '@rackfair/testkit'
import { createPublicClient, createWalletClient, type HDAccount, http, toHex } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildSite } from './buildSite.ts'
import { ROOT } from './readGuide.ts'
import { startPlatform } from './testing/startPlatform.ts'

let market: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  market = await setup()
})
afterAll(() => market.stop())

test('becomes a provider and watches the price of its node by the commands of the developer guide', async () => {
  const { provider } = developmentAccounts()
  expect(await market.shell(commandOf('provider'), provider)).toContain('offers node 1')
  await market.seen()

  const watching = market.start(commandOf('watchPrice').replace('0xprovider', provider.address))
  onTestFinished(watching.stop)
  await expect.poll(watching.printed, { timeout: 60_000 }).toBe('200 USD a month\n')
  const node = await getNode(market.client, market.addresses, provider.address, 1n)
  await market.send(provider, updateNodeCall(market.addresses, 1, { ...node, pGPU: node.pGPU + 10n * ONE_CREDIT_WEI }))
  await expect.poll(watching.printed, { timeout: 60_000 }).toBe('200 USD a month\n210 USD a month\n')
})

test('verifies a receipt by the command of the developer guide', async () => {
  const { provider, user } = developmentAccounts()
  const renter = withAccount(await connectMarket({ platform: market.url, access: market.addresses.access }), user)
  const { orderId } = await buyOrder(renter, { provider: provider.address, nodeId: 1, term: '1 month' })
  await cancelOrder(renter, orderId)
  await market.seen()
  expect(orderId).toBe(1n)
  const printed = await market.shell(commandOf('receipt'))
  expect(printed).toMatch(/^order: \d\d figures, 0 differ$/m)
  expect(printed).toContain('every second and every wei follows from the chain')
})

test('answers the commands of the API guide', async () => {
  const [count, list, events = ''] = commandsIn('api').replaceAll('http://127.0.0.1:3000', market.url).trim().split('\n')
  expect(JSON.parse(await market.shell(count ?? ''))).toMatchObject({ global: { nodeGlobal: 1 } })
  expect(JSON.parse(await market.shell(list ?? ''))).toMatchObject({ items: expect.any(Array) })
  // The stream has no end: one block is enough.
  expect(await market.shell(`${events} | grep -m 1 '^event: block'`)).toBe('event: block\n')
})

test('documents exactly the API calls that are served', async () => {
  const { paths } = (await (await fetch(`${market.url}/openapi.json`)).json()) as { paths: Record<string, object> }
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const guide = readFileSync(`${ROOT}docs/guides/en/api.md`, 'utf8')
  const named = [...guide.matchAll(/\b(GET|POST) (\/[^\s`?]*)/g)].map(([, method, path]) => `${method} ${path}`)
  expect(served).toEqual(expect.arrayContaining(named))
  expect(served.filter((call) => !guide.includes(call.split(' ')[1] ?? ''))).toEqual([])
})

test('serves the guides with and without a trailing slash', async () => {
  for (const path of ['/docs/', '/docs', '/docs/buyers/', '/docs/zh/buyers']) {
    const answer = await fetch(market.url + path)
    expect(answer.headers.get('content-type'), path).toContain('text/html')
    expect(await answer.text(), path).toMatch(/<link rel="stylesheet" href="\/docs\/docs\.css">/)
  }
  for (const [file, type] of Object.entries({
    'docs.css': 'text/css',
    'geist-mono.woff2': 'font/woff2',
    'logo.svg': 'image/svg',
  })) {
    expect((await fetch(`${market.url}/docs/${file}`)).headers.get('content-type')).toContain(type)
  }
})

async function setup() {
  const anvil = await startAnvil()
  const transport = http(anvil.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
  const { owner, user, provider } = developmentAccounts()
  const wallet = createWalletClient({ account: owner, transport })
  const config = parseDeployConfig(JSON.parse(readFileSync(`${ROOT}contracts/script/config/2985.json`, 'utf8')))
  const deployment = await deployMarket({ publicClient: client as never, walletClient: wallet, config })
  const { access, registry, pledge, market, credit } = deployment
  const addresses: MarketAddresses = { access, registry, pledge, market, credit }
  for (const account of [user, provider]) {
    const mint = contractCall(addresses, 'credit', 'mint', [account.address, 1000n * ONE_CREDIT_WEI])
    await waitForReceipt(client, await sendCall(client, wallet, mint))
  }

  const dir = mkdtempSync(join(tmpdir(), 'rackfair-docs-'))
  const deploymentFile = join(dir, 'deployment.json')
  writeFileSync(deploymentFile, JSON.stringify(deployment))
  buildSite(join(dir, 'web', 'docs'))
  const platform = await startPlatform({ rpcUrl: anvil.rpcUrl, deploymentFile, data: join(dir, 'data'), web: join(dir, 'web') })
  /** Waits until the platform has read what was sent. */
  const seen = async () => {
    const block = Number(await client.getBlockNumber())
    const read = async () => {
      const answer = await fetch(`${platform.url}/v1/global/?minBlock=${block}`)
      return Number(answer.headers.get('x-rackfair-block'))
    }
    await expect.poll(read, { timeout: 60_000 }).toBeGreaterThanOrEqual(block)
  }
  const stop = async () => {
    await platform.stop()
    await anvil.stop()
    rmSync(dir, { recursive: true })
  }

  /** Starts commands from the checkout, on this chain and platform. */
  const start = (commands: string, account?: HDAccount) => {
    const child = spawn('bash', ['-euc', `exec ${commands}`], {
      cwd: ROOT,
      env: {
        ...process.env,
        RPC_URL: anvil.rpcUrl,
        RACKFAIR_PLATFORM: platform.url,
        ...(account ? { RACKFAIR_KEY: keyOf(account) } : {}),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk))
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const stop = async () => {
      child.kill()
      await ended
    }
    return { printed: () => printed, ended, stop }
  }
  const shell = async (commands: string, account?: HDAccount): Promise<string> => {
    const { printed, ended } = start(commands, account)
    const code = await ended
    if (code !== 0) throw new Error(`${commands} ended with ${code}: ${printed()}`)
    return printed()
  }
  const send = async (account: typeof user, call: ContractCall) =>
    waitForReceipt(client, await sendCall(client, createWalletClient({ account, transport }), call))
  return { client, addresses, url: platform.url, seen, shell, start, send, stop }
}

const keyOf = (account: HDAccount): string => toHex(account.getHdKey().privateKey ?? new Uint8Array())

/** The command of the developer guide that runs an example. */
const commandOf = (example: string) =>
  commandsIn('developers')
    .split('\n')
    .find((line) => line.includes(`/${example}.ts`)) ?? ''

/** The commands of a guide, in order: its code blocks without a language. */
function commandsIn(page: string): string {
  const text = readFileSync(`${ROOT}docs/guides/en/${page}.md`, 'utf8')
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, block]) => (language === '' ? block : '')).join('')
}
