import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openChain } from '../../apps/platform/src/indexer/ChainSource.ts'
import { eventsOf } from '../../apps/platform/src/indexer/foldEvents.ts'
import { Indexer, type IndexerSettings } from '../../apps/platform/src/indexer/Indexer.ts'
import { openStore } from '../../apps/platform/src/store/openStore.ts'

/** What one process measures, in milliseconds; `cpu` in seconds. */
export interface SyncFigures {
  events: number
  read: number
  readCpu: number
  /** An empty store, with its tables: it takes as long for one event as for a million. */
  open: number
  sync: number
  syncCpu: number
  restart: number
}

export interface SyncInput {
  indexer: Omit<IndexerSettings, 'contracts'>
  contracts: [string, 'registry' | 'pledge' | 'market' | 'monitors'][]
  /** Undefined for node:sqlite. */
  databaseUrl?: string | undefined
}

/** viem refuses answers above 10 MB. */
const BLOCKS_AT_ONCE = 40

const { indexer, contracts, databaseUrl } = JSON.parse(process.argv[2] ?? '') as SyncInput
const settings: IndexerSettings = { ...indexer, contracts: new Map(contracts) }
const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-'))
const read = await timed(readOnly)
const opened = await timed(openOnce)
const first = await timed(sync)
const again = await timed(sync)
const figures: SyncFigures = {
  events: first.value,
  read: read.milliseconds,
  readCpu: read.cpu,
  open: opened.milliseconds,
  sync: first.milliseconds,
  syncCpu: first.cpu,
  restart: again.milliseconds,
}
console.log(JSON.stringify(figures))
rmSync(folder, { recursive: true, force: true })

/** Events read and decoded, and discarded: the minimal work of any indexer. */
async function readOnly(): Promise<void> {
  const source = openChain(settings.rpcUrl)
  const head = await source.head()
  for (let from = 0; from <= head.number; from += BLOCKS_AT_ONCE) {
    const to = Math.min(head.number, from + BLOCKS_AT_ONCE - 1)
    const logs = await source.logs(from, to, [...settings.contracts.keys(), settings.access])
    eventsOf(logs, settings.contracts)
  }
}

async function openOnce(): Promise<void> {
  await (await openStore({ dataFolder: folder, databaseUrl })).close()
}

/** To the head of the chain, from what the store has. Returns the events in it. */
async function sync(): Promise<number> {
  const store = await openStore({ dataFolder: folder, databaseUrl })
  const indexer = new Indexer(store, settings)
  while (indexer.state !== 'live') await indexer.step()
  const { count } = await store.db
    .selectFrom('rawLog')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  await indexer.stop()
  await store.close()
  return Number(count)
}

async function timed<Value>(work: () => Promise<Value>) {
  const cpu = process.cpuUsage()
  const started = performance.now()
  const value = await work()
  const milliseconds = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  return { value, milliseconds, cpu: (user + system) / 1e6 }
}
