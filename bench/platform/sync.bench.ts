import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openChain } from '../../apps/platform/src/indexer/ChainSource.ts'
import { Fold } from '../../apps/platform/src/indexer/Fold.ts'
import { eventsOf } from '../../apps/platform/src/indexer/foldEvents.ts'
import { handleEvent } from '../../apps/platform/src/indexer/handlers/index.ts'
import { prefetch } from '../../apps/platform/src/indexer/prefetch.ts'
import { openStore } from '../../apps/platform/src/store/openStore.ts'
import { indexerSettings } from '../../apps/platform/test/indexerSettings.ts'
import { onEachDatabase } from './databases.ts'
import { makeHistory } from './makeHistory.ts'
import type { SyncFigures, SyncInput } from './syncOnce.ts'
import { percentile, table } from './table.ts'

/**
 * From empty tables to the head of a chain with about 20,000 events, and from a full store to the head. Peer: the same events read and
 * decoded with viem and discarded, the minimal work of any indexer. Both are measured in the same fresh process, several times, and the
 * medians compared: other load affects both. Then what each handler costs.
 */
const EVENTS = Number(process.env.RACKFAIR_BENCH_EVENTS ?? 20_000)
const ROUNDS = 7
const run = promisify(execFile)
const once = fileURLToPath(new URL('./syncOnce.ts', import.meta.url))
const chain = await makeHistory(EVENTS)
const { contracts, ...indexer } = indexerSettings(chain)
const rows: (string | number)[][] = []
await onEachDatabase(async (name, _, fresh) => {
  const rounds: SyncFigures[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { databaseUrl } = await fresh()
    const input = { indexer, contracts: [...contracts], databaseUrl } as SyncInput
    const { stdout } = await run(process.execPath, [once, JSON.stringify(input)])
    rounds.push(JSON.parse(stdout) as SyncFigures)
  }
  const median = (of: (figures: SyncFigures) => number) => percentile(rounds.map(of), 0.5)
  const events = rounds[0]?.events ?? 0
  const perSecond = (milliseconds: number) => Math.round((events / milliseconds) * 1000)
  rows.push([
    name,
    events,
    perSecond(median(({ read }) => read)),
    perSecond(median(({ sync }) => sync)),
    median(({ read, sync }) => read / sync).toFixed(2),
    median(({ readCpu }) => readCpu).toFixed(2),
    median(({ syncCpu }) => syncCpu).toFixed(2),
    `${Math.round(median(({ open }) => open))} ms`,
    `${Math.round(median(({ restart }) => restart))} ms`,
  ])
})
table(
  ['', 'events', 'read and decoded /s', 'to live /s', 'of reading', 'CPU s reading', 'CPU s to live', 'tables made', 'restart'],
  rows,
)
await printHandlers()
console.log(`load of this machine over the last minute: ${loadavg()[0]?.toFixed(1)}`)
await chain.stop()

/** Microseconds of each handler over the whole chain, without reading and writing. */
async function printHandlers(): Promise<void> {
  const source = openChain(chain.rpcUrl)
  const head = await source.head()
  const dataFolder = mkdtempSync(join(tmpdir(), 'rackfair-bench-'))
  const store = await openStore({ dataFolder, databaseUrl: undefined })
  const costs = new Map<string, { count: number; milliseconds: number }>()
  let fold = new Fold()
  for (let from = 0; from <= head.number; from += 40) {
    const logs = await source.logs(from, Math.min(head.number, from + 39), [...contracts.keys(), indexer.access])
    const events = eventsOf(logs, contracts)
    await prefetch(store, fold, events)
    for (const event of events) {
      const started = performance.now()
      handleEvent(fold, event)
      const cost = costs.get(event.name) ?? { count: 0, milliseconds: 0 }
      costs.set(event.name, { count: cost.count + 1, milliseconds: cost.milliseconds + performance.now() - started })
    }
    fold = fold.next()
  }
  await store.close()
  rmSync(dataFolder, { recursive: true, force: true })
  const dearest = [...costs].sort(([, a], [, b]) => b.milliseconds - a.milliseconds)
  table(
    ['handler', 'events', 'us each', 'ms in all'],
    dearest.map(([name, { count, milliseconds }]) => [
      name,
      count,
      ((milliseconds / count) * 1000).toFixed(1),
      milliseconds.toFixed(1),
    ]),
  )
}
