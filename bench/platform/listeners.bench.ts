import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { privateKeyToAccount } from 'viem/accounts'
import { openStore } from '../../apps/platform/src/store/openStore.ts'
import { load } from './load.ts'
import { openAgents } from './openAgents.ts'
import { seedMarket } from './seedMarket.ts'
import { memoryMb, startApi, stopProgram } from './startProgram.ts'
import { table } from './table.ts'

/**
 * One provider's agent tells of another machine with every heartbeat, as fast as it is let, connecting again whenever it is sent away, while
 * buyers read the list of nodes: before anybody listens to events, with listeners that read, and with listeners that do not.
 */
const LISTENERS = Number(process.env.RACKFAIR_BENCH_LISTENERS ?? 1_000)
/** As many event streams as one address may open. */
const PER_ADDRESS = 200
const SECONDS = 15
const operator = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const provider = lowerCaseAddress(`0x${'1'.padStart(40, '0')}`)
const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-listeners-'))
const list = (index: number) => `/v1/nodes?limit=50&maxPrice=${100_000 + (index % 500)}`
const rows: (string | number)[][] = []

for (const [name, listeners, reads] of [
  ['none', 0, true],
  [`${LISTENERS} reading`, LISTENERS, true],
  [`${LISTENERS} not reading`, LISTENERS, false],
] as const) {
  const settings = { dataFolder: join(folder, name), databaseUrl: undefined }
  const store = await openStore(settings)
  await seedMarket(store, { nodes: 300, orders: 0, operator: lowerCaseAddress(operator.address) })
  await store.close()
  const { child, url } = await startApi(settings, folder)
  const sockets = await Promise.all(Array.from({ length: listeners }, (_, index) => listen(url, index, reads)))
  await load(list, url, { connections: 2, seconds: 2 })
  const quiet = await load(list, url, { connections: 2, seconds: 5 })
  const before = memoryMb(child)
  const flood = startFlood(url)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memoryMb(child))
  }, 100)
  const flooded = await load(list, url, { connections: 2, seconds: SECONDS })
  clearInterval(watch)
  const { sent, connections } = await flood.stop()
  const told = sockets.reduce((sum, socket) => sum + socket.bytesRead, 0)
  const figures = [quiet.p50, quiet.p99, flooded.p50, flooded.p99, most - before, told / 1e6].map((value) => value.toFixed(1))
  rows.push([name, sent, connections, ...figures])
  for (const socket of sockets) socket.destroy()
  await stopProgram(child)
}
table(
  ['listeners', 'sent', 'connections', 'list p50 ms', 'p99', 'p50 during', 'p99 during', 'memory grew MB', 'MB to listeners'],
  rows,
)
console.log(`load of this machine over the last minute: ${loadavg()[0]?.toFixed(1)}`)
rmSync(folder, { recursive: true, force: true })

/** An open event stream, of one of as many addresses as are needed. */
async function listen(url: string, index: number, reads: boolean): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const localAddress = `127.0.0.${2 + Math.floor(index / PER_ADDRESS)}`
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  socket.on('error', () => socket.destroy())
  socket.write(`GET /v1/events HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`)
  await once(socket, 'data')
  if (reads) socket.on('data', () => {})
  else socket.pause()
  return socket
}

/** Sends heartbeats with another machine each, over one connection after the other. */
function startFlood(url: string) {
  let isOn = true
  let sent = 0
  let connections = 0
  const run = async () => {
    while (isOn) {
      const [agent] = await openAgents(url, [provider], operator).catch(() => [])
      if (!agent) {
        await sleep(200)
        continue
      }
      connections += 1
      while (isOn && agent.readyState === agent.OPEN) {
        for (let more = 0; more < 20; more += 1) {
          sent += 1
          agent.send(JSON.stringify({ type: 'heartbeat', machine: { cores: 1 + (sent % 500), memoryGb: 1, diskGb: 1, gpus: 0 } }))
        }
        await sleep(20)
      }
      agent.close()
    }
  }
  const ended = run()
  return {
    async stop() {
      isOn = false
      await ended
      return { sent, connections }
    },
  }
}
