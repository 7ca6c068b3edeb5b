import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@rackfair/testkit'
import { openStore, type StoreSettings } from '../../apps/platform/src/store/openStore.ts'
import { onEachDatabase } from './databases.ts'
import { load } from './load.ts'
import { seedMarket } from './seedMarket.ts'
import { table } from './table.ts'

/**
 * Requests a second and the slowest hundredth, at 16 connections, of the list (300 nodes), the search over 10,000 nodes and
 * the orders of a user among many, answered from the cache and built anew, and the processor time of each
 * answer, which does not depend on what else the machine does. Peer: a server of the same kind that answers `ok`.
 */
const ORDERS = Number(process.env.RACKFAIR_BENCH_ORDERS ?? 1_000_000)
const SHAPE = { connections: 16, seconds: 4 }
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-http-'))
const deployment = join(folder, 'deployment.json')
const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
writeFileSync(
  deployment,
  JSON.stringify({
    chainId: 2985,
    access: address(1),
    registry: address(2),
    pledge: address(3),
    market: address(4),
    credit: address(5),
  }),
)
const rows: (string | number)[][] = []
const empty = await start([fileURLToPath(new URL('./emptyServer.ts', import.meta.url))])
await load(() => '/', empty.url, { ...SHAPE, seconds: 1 })
const idle = cpuSeconds(empty.child)
const base = await load(() => '/', empty.url, SHAPE)
const baseCpu = cpuPerAnswer(cpuSeconds(empty.child) - idle, base.perSecond)
rows.push(['empty handler', '', base.perSecond, '1.00', base.p50.toFixed(1), base.p99.toFixed(1), baseCpu, memory(empty.child)])
empty.child.kill()

await onEachDatabase(async (name, settings) => {
  for (const nodes of [300, 10_000]) {
    const store = await openStore(settings)
    await seedMarket(store, { nodes, orders: nodes === 300 ? 0 : ORDERS })
    await store.close()
    const platform = await start(['apps/platform/src/main.ts', ...platformArguments(settings)])
    const measure = async (what: string, pathOf: (index: number) => string) => {
      await load(pathOf, platform.url, { ...SHAPE, seconds: 1 })
      const before = cpuSeconds(platform.child)
      const { perSecond, p50, p99 } = await load(pathOf, platform.url, SHAPE)
      const cpu = cpuPerAnswer(cpuSeconds(platform.child) - before, perSecond)
      const ratio = (perSecond / base.perSecond).toFixed(2)
      rows.push([`${name}: ${what}`, nodes, perSecond, ratio, p50.toFixed(1), p99.toFixed(1), cpu, memory(platform.child)])
    }
    if (nodes === 300) {
      await measure('list, cached', () => '/v1/nodes?limit=200')
      await measure('list, built anew', (index) => `/v1/nodes?limit=200&maxPrice=${100_000 + index}`)
    } else {
      await measure('search, cached', () => '/v1/nodes?text=4090&sort=price')
      await measure('search, another price range', (index) => `/v1/nodes?text=4090&sort=price&maxPrice=${100_000 + index}`)
      await measure('search, every filter new', (index) => {
        const [memory, disk] = [index % 200, Math.floor(index / 200) % 1_000]
        return `/v1/nodes?text=4090&sort=-price&minMemory=${memory}&minDisk=${disk}`
      })
      await measure('orders of a user, cached', () => `/v1/user/${address(1_000)}/order/list`)
      await measure(
        'orders of a user, built anew',
        (index) => `/v1/user/${address(1_000 + (index % 9_000))}/order/list?limit=${900 + (index % 100)}`,
      )
    }
    platform.child.kill('SIGTERM')
    await new Promise((resolve) => platform.child.once('exit', resolve))
  }
})
table(['', 'nodes', 'requests/s', 'of empty', 'p50 ms', 'p99 ms', 'CPU ms each', 'memory'], rows)
rmSync(folder, { recursive: true, force: true })

function platformArguments(settings: StoreSettings): string[] {
  const database = settings.databaseUrl ? ['--database-url', settings.databaseUrl] : ['--data', settings.dataFolder]
  return ['--role', 'api', '--rate-scale', '0', '--rpc', 'http://127.0.0.1:9', '--deployment', deployment, ...database]
}

async function start(args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const child = spawn(process.execPath, [...args, '--port', String(port)], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const up = await fetch(`${url}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (up) return { child, url }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${args[0]} did not start`)
}

/** What the answers cost the process, whatever else the machine was doing. */
function cpuPerAnswer(seconds: number, perSecond: number): string {
  return ((seconds * 1000) / (perSecond * SHAPE.seconds)).toFixed(3)
}

function cpuSeconds(child: ChildProcess): number {
  if (process.platform !== 'linux') return Number.NaN
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function memory(child: ChildProcess): string {
  if (process.platform !== 'linux') return '-'
  const pages = Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1])
  return `${Math.round((pages * 4096) / 2 ** 20)} MB`
}
