import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import {
  CLEAN_DEPLOY_ID,
  DEVELOPMENT_CHAIN_ID,
  formatDeployText,
  MONTH_SECONDS,
  ONE_CREDIT_WEI,
  PRESET_IDS,
  visitUrl,
} from '@rackfair/core'
import { contractCall, createApi, quoteOrder, readAddresses, sendCall, waitForReceipt } from '@rackfair/sdk'
import { freePort } from '@rackfair/testkit'
import { type Address, createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/**
 * From the signed deploy request to the first HTTP 200 of nginx through the gateway, image present, on a local market of its own.
 * Peer: the same container's answer once it runs, fetched through the same gateway.
 */
const RUNS = 5
/** An agent takes a few requests of one order at once, then one in a while. */
const PAUSE_MS = 7_000
let lastTime = 0
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const market = await startMarket()
try {
  const buyer = await buy(market.url)
  const rows: number[][] = []
  for (let run = 0; run < RUNS; run += 1) {
    rows.push(await deployOnce(buyer))
    await clean(buyer)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  console.log('| run | request accepted, ms | first 200, ms | next 200, ms |\n|---|---|---|---|')
  for (const [index, row] of rows.entries()) console.log(`| ${index + 1} | ${row.map((ms) => ms.toFixed(0)).join(' | ')} |`)
  const medians = [0, 1, 2].map((column) => median(rows.map((row) => row[column] ?? 0)))
  console.log(`| median | ${medians.map((ms) => ms.toFixed(0)).join(' | ')} |`)
} finally {
  await market.stop()
}

type Buyer = Awaited<ReturnType<typeof buy>>

async function buy(url: string) {
  const api = createApi({ baseUrl: url })
  const { rpcUrl, access } = await api.config()
  const account = privateKeyToAccount(generatePrivateKey())
  const reader = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 })
  const writer = createWalletClient({ account, transport: http(rpcUrl) })
  await api.faucet(account.address)
  const addresses = await readAddresses(reader, access as Address)
  const slot = (await api.rack()).slots.find((one) => one.state === 'idle')
  if (!slot) throw new Error('this machine lists no idle node')
  const provider = slot.cp as Address
  const quote = await quoteOrder(reader, addresses, provider, BigInt(slot.id), MONTH_SECONDS)
  const send = async (call: Parameters<typeof sendCall>[2]) => waitForReceipt(reader, await sendCall(reader, writer, call))
  await send(contractCall(addresses, 'credit', 'approve', [addresses.market, quote.feeWei]))
  const order = { provider, nodeId: BigInt(slot.id), rev: quote.rev, duration: MONTH_SECONDS, maxFee: quote.feeWei, app: 'nginx' }
  const receipt = await send(contractCall(addresses, 'market', 'createOrder', [order]))
  const [bought] = await api.userOrders(account.address, { minBlock: receipt.blockNumber })
  if (!bought) throw new Error(`the order of ${quote.feeWei / ONE_CREDIT_WEI} Credit is not listed`)
  return { account, order: bought, api }
}

async function deployOnce(buyer: Buyer): Promise<number[]> {
  const request = await sign(buyer, PRESET_IDS.nginx)
  const visit = visitUrl(buyer.order, BigInt(buyer.order.id), buyer.account.address)
  const start = performance.now()
  await buyer.api.deploy(request)
  const accepted = performance.now()
  await firstOk(visit)
  const first = performance.now()
  await firstOk(visit)
  return [accepted - start, first - start, performance.now() - first]
}

async function clean(buyer: Buyer): Promise<void> {
  const { id } = await buyer.api.deploy(await sign(buyer, CLEAN_DEPLOY_ID))
  for (;;) {
    const { phase } = await buyer.api.deployment(id)
    if (phase === 'Cleaned') return
    if (phase === 'Failed') throw new Error('the clean failed')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function sign(buyer: Buyer, deployId: number): Promise<{ text: string; signature: Hex }> {
  // Times of one order must grow, and are whole seconds.
  while (Math.floor(Date.now() / 1000) <= lastTime) await new Promise((resolve) => setTimeout(resolve, 50))
  lastTime = Math.floor(Date.now() / 1000)
  const text = formatDeployText({
    orderId: BigInt(buyer.order.id),
    deployId,
    time: lastTime,
    wallet: buyer.account.address,
    provider: buyer.order.provider,
    chainId: DEVELOPMENT_CHAIN_ID,
  })
  return { text, signature: await buyer.account.signMessage({ message: text }) }
}

async function firstOk(url: string): Promise<void> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const body = await follow(url).catch(() => undefined)
    if (body?.includes('nginx')) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`${url} did not answer within a minute`)
}

/** The Visit link sets a cookie and leads to the application: fetch keeps no cookies, so they are carried by hand. */
async function follow(url: string): Promise<string | undefined> {
  let at = url
  let cookie = ''
  for (let hop = 0; hop < 5; hop += 1) {
    const response = await fetch(at, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    const set = response.headers.getSetCookie().map((one) => one.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    const location = response.headers.get('location')
    if (response.status === 200) return response.text()
    if (!location) return undefined
    at = new URL(location, at).href
  }
  return undefined
}

async function startMarket() {
  const stateDir = mkdtempSync(join(tmpdir(), 'rackfair-bench-'))
  const [port, rpcPort, gatewayPort] = [await freePort(), await freePort(), await freePort()]
  const child: ChildProcess = spawn(
    process.execPath,
    [
      join(root, 'apps/market/src/main.ts'),
      'start',
      '--state',
      stateDir,
      '--port',
      `${port}`,
      '--rpc-port',
      `${rpcPort}`,
      '--gateway-port',
      `${gatewayPort}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
      if (output.includes(`http://127.0.0.1:${port}\n`)) resolve()
    })
    child.once('exit', () => reject(new Error(output)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      rmSync(stateDir, { recursive: true, force: true })
    },
  }
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
