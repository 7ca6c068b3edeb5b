import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../apps/platform/src/store/openStore.ts'
import { onEachDatabase } from './databases.ts'
import { load } from './load.ts'
import { seedMarket } from './seedMarket.ts'
import { cpuSeconds, memoryMb, startApi, startProgram, stopProgram } from './startProgram.ts'
import { table } from './table.ts'

/**
 * Requests per second and the 99th percentile, at 16 connections, of the list (300 nodes), the search over 10,000 nodes and the orders of
 * one user among many, served from the cache and rebuilt, and the processor time per answer, which does not depend on other load. Peer:
 * a server of the same kind that answers `ok`.
 */
const ORDERS = Number(process.env.RACKFAIR_BENCH_ORDERS ?? 1_000_000)
const SHAPE = { connections: 16, seconds: 4 }
const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-http-'))
const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
const rows: (string | number)[][] = []
const empty = await startProgram([fileURLToPath(new URL('./emptyServer.ts', import.meta.url))])
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
    const platform = await startApi(settings, folder)
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
      await measure('list, rebuilt', (index) => `/v1/nodes?limit=200&maxPrice=${100_000 + index}`)
    } else {
      await measure('search, cached', () => '/v1/nodes?text=4090&sort=price')
      await measure('search, another price range', (index) => `/v1/nodes?text=4090&sort=price&maxPrice=${100_000 + index}`)
      await measure('search, every filter new', (index) => {
        const [memory, disk] = [index % 200, Math.floor(index / 200) % 1_000]
        return `/v1/nodes?text=4090&sort=-price&minMemory=${memory}&minDisk=${disk}`
      })
      await measure('orders of a user, cached', () => `/v1/user/${address(1_000)}/order/list`)
      await measure(
        'orders of a user, rebuilt',
        (index) => `/v1/user/${address(1_000 + (index % 9_000))}/order/list?limit=${900 + (index % 100)}`,
      )
    }
    await stopProgram(platform.child)
  }
})
table(['', 'nodes', 'requests/s', 'of empty', 'p50 ms', 'p99 ms', 'CPU ms each', 'memory'], rows)
rmSync(folder, { recursive: true, force: true })

/** Processor time per answer, independent of other load on the machine. */
function cpuPerAnswer(seconds: number, perSecond: number): string {
  return ((seconds * 1000) / (perSecond * SHAPE.seconds)).toFixed(3)
}

function memory(child: ChildProcess): string {
  return `${Math.round(memoryMb(child))} MB`
}
