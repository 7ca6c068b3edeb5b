import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { visitUrl } from '@rackfair/rules/deployment/visitUrl'
import { createApi } from '@rackfair/sdk'
import { type Buyer, createBuyer, type RunningMarket, startMarket, visit, whyItRests } from '@rackfair/testkit'
import type { Address } from 'viem'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chainStateFile, saveState } from './chainState.ts'
import { rpc } from './rpc.ts'
import { whyNoProvider } from './testing/whyNoProvider.ts'

const STARTS = 10
const LONG = { timeout: 120_000, interval: 200 }
const reason = whyNoProvider()
const noStarts = reason ?? whyItRests('market restarts')

test(`keeps its order, application and data through ${STARTS} starts${noStarts ? ` (${noStarts})` : ''}`, {
  timeout: 900_000,
  skip: noStarts !== undefined,
}, async () => {
  const market = await startMarket({ agent: true })
  onTestFinished(market.stop, 180_000)
  await vi.waitFor(async () => expect((await createApi({ baseUrl: market.url }).rack()).slots[0]?.state).toBe('idle'), LONG)
  const buyer = await createBuyer(market.url)
  const { id } = await buyer.api.deploy(await buyer.sign('nginx'))
  await vi.waitFor(async () => expect((await buyer.api.deployment(id)).phase).toBe('Running'), LONG)
  const page = createHash('sha256').update(buyer.account.address).digest('hex')
  writeFileSync(join(market.stateDir, 'agent', 'data', 'volumes', buyer.order.id, 'mnt', 'site', 'kept.txt'), page)
  await vi.waitFor(async () => expect((await buyer.api.order(buyer.order.id)).deployed).toBe(true), LONG)
  const first = await stateOf(market, buyer, id)
  expect(first).toMatchObject({ page, deployment: { phase: 'Running' }, order: { status: 2 } })
  // What the chain did in its last seconds before a kill may be lost; this is about everything before it.
  await saveState({ rpcUrl: market.rpcUrl, stateFile: chainStateFile(market.stateDir) })

  for (let turn = 2; turn <= STARTS; turn += 1) {
    await market.end(turn % 2 === 0 ? 'SIGKILL' : 'SIGINT')
    await market.resume()
    await vi.waitFor(async () => expect((await fetch(`${market.url}/readyz`)).status).toBe(200), LONG)
    await vi.waitFor(async () => expect(await stateOf(market, buyer, id), `start ${turn}`).toEqual(first), LONG)
  }
})

test('refuses a chain that lost the contracts instead of deploying new ones', async () => {
  const market = await startMarket()
  onTestFinished(market.stop, 180_000)
  await market.end('SIGINT')
  for (const name of ['chain.json', 'chain.json.backup']) rmSync(join(market.stateDir, name))
  await expect(market.resume()).rejects.toThrow(/does not hold the contracts .* Nothing was changed/s)
  expect(existsSync(join(market.stateDir, 'deployment.json'))).toBe(true)
})

test('archives a market of another version and starts a new one', { timeout: 240_000 }, async () => {
  const market = await startMarket()
  onTestFinished(market.stop, 180_000)
  const { address, built, height } = await changeCode(market)
  await market.end('SIGINT')
  const database = readFileSync(join(market.stateDir, 'platform', 'market.sqlite'))

  const said = await market.resume()
  expect(said).toMatch(/another version of Rackfair: Market on its chain is not .* Nothing was deleted: .* a new one begins/s)
  expect(await codeAt(market.rpcUrl, address)).toBe(built)
  const [name = ''] = readdirSync(join(market.stateDir, 'kept'))
  const kept = join(market.stateDir, 'kept', name)
  expect(said).toContain(kept)
  expect(readFileSync(join(kept, 'platform', 'market.sqlite'))).toEqual(database)
  expect(existsSync(join(kept, 'deployment.json'))).toBe(true)
  expect(
    Number((JSON.parse(readFileSync(join(kept, 'chain.json'), 'utf8')) as { best_block_number: string }).best_block_number),
  ).toBeGreaterThanOrEqual(height)

  await market.end('SIGINT')
  expect(await market.resume(), 'the new market is of this version').not.toContain('another version')
  expect(readdirSync(join(market.stateDir, 'kept'))).toEqual([name])
})

test(`stops what runs for an archived market after kill -9, and keeps its data${reason ? ` (${reason})` : ''}`, {
  timeout: 600_000,
  skip: reason !== undefined,
}, async () => {
  const market = await startMarket({ agent: true })
  onTestFinished(market.stop, 180_000)
  await vi.waitFor(async () => expect((await createApi({ baseUrl: market.url }).rack()).slots[0]?.state).toBe('idle'), LONG)
  const buyer = await createBuyer(market.url)
  const { id } = await buyer.api.deploy(await buyer.sign('nginx'))
  await vi.waitFor(async () => expect((await buyer.api.deployment(id)).phase).toBe('Running'), LONG)
  writeFileSync(join(market.stateDir, 'agent', 'data', 'volumes', buyer.order.id, 'mnt', 'site', 'kept.txt'), 'kept')
  await changeCode(market)
  const tenants = processesOnDisksOf(market.stateDir)
  expect(tenants).not.toEqual([])
  await market.end('SIGKILL')
  expect(
    tenants.filter((pid) => existsSync(`/proc/${pid}`)),
    'they outlive the agent',
  ).toEqual(tenants)

  const said = await market.resume()
  expect(said).toMatch(/1 application that was still running was stopped.*another version of Rackfair/s)
  expect(tenants.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  const [name = ''] = readdirSync(join(market.stateDir, 'kept'))
  const kept = join(market.stateDir, 'kept', name)
  const mounted = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  expect(mounted.filter((line) => line.includes(kept) && /volumes|merged/.test(line))).toEqual([])
  expect(existsSync(join(kept, 'agent', 'data', 'volumes', buyer.order.id))).toBe(true)
})

/** Appends an instruction to the Market's code: it behaves as before, but is not what this version deploys. */
async function changeCode(market: RunningMarket): Promise<{ address: Address; built: string; height: number }> {
  const { market: address } = JSON.parse(readFileSync(join(market.stateDir, 'deployment.json'), 'utf8')) as { market: Address }
  const built = String(await codeAt(market.rpcUrl, address))
  await rpc(market.rpcUrl, 'anvil_setCode', [address, `${built}00`])
  await rpc(market.rpcUrl, 'evm_mine')
  const height = Number(await rpc(market.rpcUrl, 'eth_blockNumber'))
  await saveState({ rpcUrl: market.rpcUrl, stateFile: chainStateFile(market.stateDir) })
  return { address, built, height }
}

/** Processes whose root lies on an overlay below this folder. */
function processesOnDisksOf(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => {
    try {
      const root = readFileSync(`/proc/${pid}/mounts`, 'utf8')
        .split('\n')
        .find((line) => line.split(' ')[1] === '/')
      return root?.includes(folder)
    } catch {
      return false
    }
  })
}

/** What must be the same after every start: the chain's beginning, the order, its deployment and the file on its disk. */
async function stateOf(market: RunningMarket, buyer: Buyer, deploymentId: string) {
  const hashOf = async (number: string) =>
    ((await rpc(market.rpcUrl, 'eth_getBlockByNumber', [number, false])) as { hash: string }).hash
  const { status, deployed, totalValue, activateTime } = await buyer.api.order(buyer.order.id)
  const link = visitUrl({ ip: '127.0.0.1', port: market.gatewayPort }, BigInt(buyer.order.id), buyer.account.address)
  const { phase, requestedAt } = await buyer.api.deployment(deploymentId)
  return {
    blocks: [await hashOf('0x0'), await hashOf('0x1')],
    order: { status, deployed, totalValue, activateTime },
    deployment: { phase, requestedAt },
    page: await (await visit(link, '/kept.txt')).text(),
  }
}

const codeAt = (rpcUrl: string, address: Address) => rpc(rpcUrl, 'eth_getCode', [address, 'latest'])
