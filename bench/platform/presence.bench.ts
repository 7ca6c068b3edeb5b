import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { privateKeyToAccount } from 'viem/accounts'
import { openStore } from '../../apps/platform/src/store/openStore.ts'
import { onEachDatabase } from './databases.ts'
import { load } from './load.ts'
import { openAgents } from './openAgents.ts'
import { seedMarket } from './seedMarket.ts'
import { cpuSeconds, memoryMb, startApi, startProgram, stopProgram } from './startProgram.ts'
import { percentile, table } from './table.ts'

/**
 * The processor time of connected agents that send a heartbeat every 30 s, compared with the same platform without them, and the cost of
 * the cached list of 300 nodes meanwhile. Peer of the list: a server of the same kind that answers `ok`. Both are measured in short
 * alternating runs and compared by processor time per answer: other load affects both.
 */
const COUNTS = (process.env.RACKFAIR_BENCH_AGENTS ?? '300,10000').split(',').map(Number)
const BEAT_SECONDS = 30
const SHAPE = { connections: 16, seconds: 0.5 }
const ROUNDS = 12
const operator = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const providers = (count: number) =>
  Array.from({ length: count }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`)
const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-presence-'))
const list = () => '/v1/nodes?limit=200'
const rows: (string | number)[][] = []

const empty = await startProgram([fileURLToPath(new URL('./emptyServer.ts', import.meta.url))])
await load(() => '/', empty.url, { ...SHAPE, seconds: 2 })

await onEachDatabase(async (name, settings) => {
  for (const count of COUNTS) {
    const store = await openStore(settings)
    await seedMarket(store, { nodes: 300, orders: 0, providers: count, operator: lowerCaseAddress(operator.address) })
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
    while ((await changes()) < count) await sleep(100)
    const written = await changes()
    let turn = 0
    const beat = () => agents[turn++ % agents.length]?.send('{"type":"heartbeat"}')
    const beating = (await cores(child, beat, count)) - idle
    const beats = setInterval(() => {
      for (let more = 0; more < (count / BEAT_SECONDS) * 0.05; more += 1) beat()
    }, 50)
    await load(list, url, { ...SHAPE, seconds: 2 })
    const built = await answersBuilt(url)
    const rounds: { cpu: number; rate: number; perSecond: number; p99: number; microseconds: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const base = await measured(() => '/', empty.url, empty.child)
      const { perSecond, p99, microseconds } = await measured(list, url, child)
      rounds.push({
        ...{ perSecond, p99, microseconds },
        cpu: base.microseconds / microseconds,
        rate: perSecond / base.perSecond,
      })
    }
    clearInterval(beats)
    const median = (of: (round: (typeof rounds)[number]) => number) => percentile(rounds.map(of), 0.5)
    const figures = [
      beating.toFixed(3),
      (await changes()) - written,
      (await answersBuilt(url)) - built,
      Math.round(median((round) => round.microseconds)),
      median((round) => round.cpu).toFixed(2),
      Math.round(median((round) => round.perSecond)),
      median((round) => round.rate).toFixed(2),
      median((round) => round.p99).toFixed(1),
    ]
    rows.push([name, count, ...figures, `${Math.round(memoryMb(child))} MB`])
    for (const agent of agents) agent.close()
    await stopProgram(child)
    for (const emptied of ['presence', 'change'] as const) await store.db.deleteFrom(emptied).execute()
    await store.close()
  }
})
empty.child.kill()
const head = ['', 'agents', 'cores of their beats', 'rows written', 'answers built', 'us of processor', 'of empty']
table([...head, 'requests/s', 'of empty', 'p99 ms', 'memory'], rows)
rmSync(folder, { recursive: true, force: true })

/** One short run, and the server's processor time per answer. */
async function measured(path: () => string, url: string, child: Parameters<typeof cpuSeconds>[0]) {
  const before = cpuSeconds(child)
  const { perSecond, p99, answers } = await load(path, url, SHAPE)
  return { perSecond, p99, microseconds: ((cpuSeconds(child) - before) / answers) * 1e6 }
}

/** Answers built, not served from the cache, since the platform started. */
async function answersBuilt(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^rackfair_cache_misses (\d+)/m.exec(metrics)?.[1] ?? Number.NaN)
}

/** Processor time per second over one heartbeat interval, with `count` heartbeats spread over it. */
async function cores(child: Parameters<typeof cpuSeconds>[0], beat: () => void, count = 0): Promise<number> {
  const before = cpuSeconds(child)
  const started = performance.now()
  let sent = 0
  for (let passed = 0; passed < BEAT_SECONDS; passed = (performance.now() - started) / 1000) {
    for (; sent < (count * passed) / BEAT_SECONDS; sent += 1) beat()
    await sleep(20)
  }
  return (cpuSeconds(child) - before) / ((performance.now() - started) / 1000)
}
