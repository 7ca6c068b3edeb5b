import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployMarket } from '@rackfair/contracts/deploy'
import { parseDeployConfig } from '@rackfair/contracts/deployConfig'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { type ContractCall, contractCall, getOrder, type MarketAddresses, sendCall, waitForReceipt } from '@rackfair/sdk'
import { developmentAccounts, startAnvil } from '@rackfair/testkit'
import { createPublicClient, createTestClient, createWalletClient, type HDAccount, http, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSite } from './buildSite.ts'
import { ROOT } from './readGuide.ts'
import { startPlatform } from './testing/startPlatform.ts'

let market: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  market = await setup()
})
afterAll(() => market.stop())

test('lists a node and buys it by the commands of the developer guide, and cancels the order with its program', async () => {
  const { provider, user } = developmentAccounts()
  expect(await market.run('offer.ts', [], provider)).toContain('offers node 1')

  await market.seen()
  const commands = commandsIn('developers')
    .replace('PRIVATE_KEY=0x…', `PRIVATE_KEY=${keyOf(user)}`)
    .replace('ACCESS=0x…', `ACCESS=${market.addresses.access}`)
    .replace('0xprovider', provider.address)
  const printed = await market.shell(commands)
  expect(printed).toContain('helios-1: 1 CPU, 1 GPU, 200 USD a month')
  expect(printed).toContain('order 1 for 200000000000000000000 wei')
  expect(await getOrder(market.client, market.addresses, 1n)).toMatchObject({ user: user.address, status: 1 })

  expect(await market.run('leave.ts', ['1'], user)).toContain('back to the buyer: 200 Credit')
  expect(await getOrder(market.client, market.addresses, 1n)).toMatchObject({ status: 4, remain: 0n })

  expect(await market.run('leave.ts', ['1'], user)).toContain('refused: WrongStatus')
})

test('withdraws earnings once with the program for providers', async () => {
  const { provider, user } = developmentAccounts()
  expect(await market.run('buy.ts', [provider.address, '1'], user)).toContain('order 2 for')
  await market.send(provider, contractCall(market.addresses, 'market', 'activate', [2n]))
  await market.passDays(3)
  await market.send(provider, contractCall(market.addresses, 'market', 'proSettle', [2n]))
  expect(await market.run('withdraw.ts', [], provider)).toMatch(/^13\.33\d* Credit in 0x\w+\nwithdrawn from 0x\w+\n$/)
  expect(await market.run('withdraw.ts', [], provider)).toMatch(/^0 Credit in 0x\w+\n$/)
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

  /** Runs commands from the checkout, on this chain and platform. */
  const shell = (commands: string, env: Record<string, string> = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn('bash', ['-euc', commands], {
        cwd: ROOT,
        env: { ...process.env, RPC_URL: anvil.rpcUrl, PLATFORM: platform.url, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
      child.once('error', reject)
      child.once('close', (code) =>
        code === 0 ? resolve(output) : reject(new Error(`${commands} ended with ${code}: ${output}`)),
      )
    })
  const run = (name: string, args: string[], account: typeof user): Promise<string> =>
    shell(`node apps/docs/snippets/${name} ${args.join(' ')}`, { ACCESS: access, PRIVATE_KEY: keyOf(account) })
  const send = async (account: typeof user, call: ContractCall) =>
    waitForReceipt(client, await sendCall(client, createWalletClient({ account, transport }), call))
  const passDays = async (days: number) => {
    const chain = createTestClient({ mode: 'anvil', transport })
    await chain.increaseTime({ seconds: days * 86_400 })
    await chain.mine({ blocks: 1 })
  }
  return { client, addresses, url: platform.url, seen, shell, run, send, passDays, stop }
}

const keyOf = (account: HDAccount): string => toHex(account.getHdKey().privateKey ?? new Uint8Array())

/** The commands of a guide, in order: its code blocks without a language. */
function commandsIn(page: string): string {
  const text = readFileSync(`${ROOT}docs/guides/en/${page}.md`, 'utf8')
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, block]) => (language === '' ? block : '')).join('')
}
