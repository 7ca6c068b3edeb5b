import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { privateKeyToAccount } from 'viem/accounts'
import { openStore } from '../../apps/platform/src/store/openStore.ts'
import { onEachDatabase } from './databases.ts'
import { load } from './load.ts'
import { openAgents } from './openAgents.ts'
import { seedMarket } from './seedMarket.ts'
import { cpuSeconds, memoryMb, startApi, startProgram, stopProgram } from './startProgram.ts'
import { table } from './table.ts'

/**
 * What connected agents cost that beat every 30 s, in processor time beside the same platform without them, and what the cached list
 * of 300 nodes does meanwhile. Peer of the list: a server of the same kind that answers `ok`.
 */
const COUNTS = (process.env.RACKFAIR_BENCH_AGENTS ?? '300,10000').split(',').map(Number)
const BEAT_SECONDS = 30
const SHAPE = { connections: 16, seconds: 4 }
const operator = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const providers = (count: number) =>
  Array.from({ length: count }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`)
const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-presence-'))
const list = () => '/v1/nodes?limit=200'
const rows: (string | number)[][] = []

const empty = await startProgram([fileURLToPath(new URL('./emptyServer.ts', import.meta.url))])
await load(() => '/', empty.url, { ...SHAPE, seconds: 1 })

await onEachDatabase(async (name, settings) => {
  for (const count of COUNTS) {
    const store = await openStore(settings)
    await seedMarket(store, { nodes: 300, orders: 0, providers: count, operator: operator.address.toLowerCase() })
    const { child, url } = await startApi(settings, folder)
    const idle = await cores(child, () => undefined)
    const agents = await openAgents(url, providers(count), operator)
    const changes = async () =>
      Number(
        (
          await store.db
            .selectFrom('change')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow()
        ).count,
      )
    while ((await changes()) < count) await pause(100)
    const written = await changes()
    let turn = 0
    const beat = () => agents[turn++ % agents.length]?.send('{"type":"heartbeat"}')
    const beating = (await cores(child, beat, count)) - idle
    const beats = setInterval(() => {
      for (let more = 0; more < (count / BEAT_SECONDS) * 0.05; more += 1) beat()
    }, 50)
    const base = await load(() => '/', empty.url, SHAPE)
    await load(list, url, { ...SHAPE, seconds: 1 })
    const { perSecond, p99 } = await load(list, url, SHAPE)
    clearInterval(beats)
    const figures = [
      beating.toFixed(3),
      (await changes()) - written,
      perSecond,
      (perSecond / base.perSecond).toFixed(2),
      p99.toFixed(1),
    ]
    rows.push([name, count, ...figures, `${Math.round(memoryMb(child))} MB`])
    for (const agent of agents) agent.close()
    await stopProgram(child)
    for (const emptied of ['presence', 'change'] as const) await store.db.deleteFrom(emptied).execute()
    await store.close()
  }
})
empty.child.kill()
table(['', 'agents', 'cores of their beats', 'rows written', 'list, requests/s', 'of empty', 'p99 ms', 'memory'], rows)
rmSync(folder, { recursive: true, force: true })

/** Processor time a second over one interval of heartbeats, `count` of them spread over it. */
async function cores(child: Parameters<typeof cpuSeconds>[0], beat: () => void, count = 0): Promise<number> {
  const before = cpuSeconds(child)
  const started = performance.now()
  let sent = 0
  for (let passed = 0; passed < BEAT_SECONDS; passed = (performance.now() - started) / 1000) {
    for (; sent < (count * passed) / BEAT_SECONDS; sent += 1) beat()
    await pause(20)
  }
  return (cpuSeconds(child) - before) / ((performance.now() - started) / 1000)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
