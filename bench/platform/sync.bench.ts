import { contractAbis } from '@rackfair/sdk'
import { startChain } from '@rackfair/testkit'
import { encodeFunctionData, type Hex, parseEther } from 'viem'
import { decodeLog } from '../../apps/platform/src/indexer/decodeLog.ts'
import { Indexer } from '../../apps/platform/src/indexer/Indexer.ts'
import { openStore } from '../../apps/platform/src/store/openStore.ts'
import { actorOn, NODE } from '../../apps/platform/test/actorOn.ts'
import { indexerSettings } from '../../apps/platform/test/indexerSettings.ts'
import { onEachDatabase } from './databases.ts'
import { table } from './table.ts'

/**
 * From an empty store to the head of a chain with about 20,000 events, and from a full store to the head.
 * Peer: the same events read and decoded with viem and thrown away, the least that any indexer has to do.
 */
const EVENTS = Number(process.env.RACKFAIR_BENCH_EVENTS ?? 20_000)
const NODES = 800
/** viem refuses answers beyond 10 MB. */
const BLOCKS_AT_ONCE = 40
const chain = await startChain({ blockTime: 0, args: ['--gas-limit', '300000000', '--order', 'fifo'] })
const act = actorOn(chain)
await makeHistory()

const rows: (string | number)[][] = []
const settings = indexerSettings(chain)
{
  const { chain: source } = new Indexer(undefined as never, settings)
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

async function makeHistory(): Promise<void> {
  const { accounts, deployment } = chain
  const provider = accounts.provider.address
  await act.becomeProvider()
  await act.send(accounts.faucet, 'credit', 'transfer', [accounts.user.address, parseEther('100000000')])
  await act.send(accounts.user, 'credit', 'approve', [deployment.market, parseEther('100000000')])
  const add = encodeFunctionData({ abi: contractAbis.registry, functionName: 'add_node', args: [NODE] })
  await sendAll(provider, deployment.registry, Array(NODES).fill(add), 400_000)
  const orders = Array.from({ length: NODES }, (_, index) => {
    const order = { provider, nodeId: BigInt(index + 1), rev: 1, duration: 2_592_000, maxFee: parseEther('10000'), app: 'nginx' }
    return encodeFunctionData({ abi: contractAbis.market, functionName: 'createOrder', args: [order] })
  })
  await sendAll(accounts.user.address, deployment.market, orders, 500_000)
  const activations = orders.map((_, index) =>
    encodeFunctionData({ abi: contractAbis.market, functionName: 'activate', args: [BigInt(index + 1)] }),
  )
  await sendAll(provider, deployment.market, activations, 200_000)
  const rest = Math.max(0, EVENTS - NODES * 4)
  const switches = Array.from({ length: rest }, (_, index) => {
    const args = [provider, BigInt((index % NODES) + 1), Math.floor(index / NODES) % 2 === 1] as const
    return encodeFunctionData({ abi: contractAbis.registry, functionName: 'setOnline', args })
  })
  await sendAll(provider, deployment.registry, switches, 100_000)
  for (let mined = 0; mined < 257; mined += 16) await act.rpc('anvil_mine', ['0x10'])
}

/** Unsigned, in batches, mined in full blocks: twenty thousand transactions in seconds. */
async function sendAll(from: string, to: string, calls: readonly Hex[], gas: number): Promise<void> {
  await act.rpc('evm_setAutomine', [false])
  const nonce = Number(await act.rpc('eth_getTransactionCount', [from, 'latest']))
  for (let start = 0; start < calls.length; start += 250) {
    const batch = calls.slice(start, start + 250).map((data, index) => ({
      jsonrpc: '2.0',
      id: index,
      method: 'eth_sendTransaction',
      params: [{ from, to, data, gas: `0x${gas.toString(16)}`, nonce: `0x${(nonce + start + index).toString(16)}` }],
    }))
    await fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(batch) })
    await act.rpc('evm_mine')
  }
  await act.rpc('evm_setAutomine', [true])
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
