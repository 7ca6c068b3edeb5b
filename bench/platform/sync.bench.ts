import { openChain } from '../../apps/platform/src/indexer/ChainSource.ts'
import { decodeLog } from '../../apps/platform/src/indexer/decodeLog.ts'
import { Indexer } from '../../apps/platform/src/indexer/Indexer.ts'
import { openStore } from '../../apps/platform/src/store/openStore.ts'
import { indexerSettings } from '../../apps/platform/test/indexerSettings.ts'
import { onEachDatabase } from './databases.ts'
import { makeHistory } from './makeHistory.ts'
import { table } from './table.ts'

/**
 * From an empty store to the head of a chain with about 20,000 events, and from a full store to the head. Peer: the same events read and
 * decoded with viem and discarded, the minimal work of any indexer.
 */
const EVENTS = Number(process.env.RACKFAIR_BENCH_EVENTS ?? 20_000)
/** viem refuses answers above 10 MB. */
const BLOCKS_AT_ONCE = 40
const chain = await makeHistory(EVENTS)

const rows: (string | number)[][] = []
const settings = indexerSettings(chain)
{
  const source = openChain(settings.rpcUrl)
  const head = await source.head()
  const cpu = process.cpuUsage()
  const started = performance.now()
  let count = 0
  for (let from = 0; from <= head.number; from += BLOCKS_AT_ONCE) {
    const to = Math.min(head.number, from + BLOCKS_AT_ONCE - 1)
    const logs = await source.logs(from, to, [...settings.contracts.keys(), settings.access])
    for (const log of logs) decodeLog(settings.contracts.get(log.address) ?? 'access', log)
    count += logs.length
  }
  rows.push(line('read and decoded only', count, performance.now() - started, 0, cpuSince(cpu)))
}
await onEachDatabase(async (name, storeSettings) => {
  const sync = async () => {
    const started = performance.now()
    const cpu = process.cpuUsage()
    const store = await openStore(storeSettings)
    const indexer = new Indexer(store, settings)
    while (indexer.state !== 'live') await indexer.step()
    const milliseconds = performance.now() - started
    const cpuSeconds = cpuSince(cpu)
    const { count } = await store.db
      .selectFrom('rawLog')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    await indexer.stop()
    await store.close()
    return { milliseconds, count: Number(count), cpuSeconds }
  }
  const first = await sync()
  const again = await sync()
  rows.push(line(name, first.count, first.milliseconds, again.milliseconds, first.cpuSeconds))
})
table(['', 'events', 'to live', 'events/s', 'CPU s', 'restart'], rows)
console.log(`memory of this process: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`)
await chain.stop()

function line(name: string, events: number, milliseconds: number, restart: number, cpu: number): (string | number)[] {
  const perSecond = Math.round((events / milliseconds) * 1000)
  return [
    name,
    events,
    `${(milliseconds / 1000).toFixed(2)} s`,
    perSecond,
    cpu.toFixed(2),
    restart > 0 ? `${(restart / 1000).toFixed(3)} s` : '-',
  ]
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
