import { once } from 'node:events'
import { truncateSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { runCommand } from '../../apps/agent/src/foundation/runCommand.ts'
import { LABEL } from '../../apps/agent/src/runtime/engine/names.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from '../../apps/agent/src/runtime/engine/podmanService.ts'
import { deployMany } from '../../apps/agent/src/testing/manyOrders.ts'
import { percentile, table } from '../platform/table.ts'
import { agentToMeasure } from './startedAgent.ts'

/**
 * Requests per second for nginx's first page and MB/s for a file of 512 MB through the gateway, compared with the same container at its own
 * address. The client runs on the same machine.
 */
const FILE_BYTES = 512 * 2 ** 20
const FIRST_PORT = 39_000
const CONNECTIONS = 16
const bench = await agentToMeasure((config) => ({
  ...config,
  gateway: { ...config.gateway, portRange: [FIRST_PORT, FIRST_PORT + 9] },
}))
const { market } = bench
try {
  await bench.start()
  const [orderId] = await deployMany(market, 1)
  const paths = podmanPaths(join(market.data, 'engine'), market.config().instance)
  const format = `{{index .Config.Labels "${LABEL.address}"}}`
  const name = `rackfair-${market.config().instance}-${orderId}`
  const args = [...podmanArguments(paths), 'inspect', '--format', format, name]
  const address = (await runCommand('podman', args, { env: podmanEnvironment(paths) })).stdout.trim()
  const file = join(market.data, 'volumes', String(orderId), 'mnt', 'site', 'large.bin')
  writeFileSync(file, '')
  truncateSync(file, FILE_BYTES)
  // The Visit link opens the port of this order only.
  const link = `${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`
  const own = new URL((await fetch(link, { redirect: 'manual' })).headers.get('location') ?? '', link).origin

  const rows: (string | number)[][] = []
  let peer: { perSecond: number; megabytes: number } | undefined
  for (const [what, url] of [
    ['the container itself', `http://${address}:8080`],
    ['through the gateway', own],
  ] as const) {
    await load(url, 2)
    const { perSecond, p50, p99 } = await load(url, 8)
    const megabytes = await download(new URL('/large.bin', url))
    peer ??= { perSecond, megabytes }
    const ratio = `${(perSecond / peer.perSecond).toFixed(2)} / ${(megabytes / peer.megabytes).toFixed(2)}`
    rows.push([what, perSecond, p50.toFixed(1), p99.toFixed(1), Math.round(megabytes), ratio])
  }
  table(['', 'requests/s', 'p50 ms', 'p99 ms', 'MB/s', 'of the container'], rows)
  console.log(`\nmemory of the agent after it: ${bench.memory()} MB`)
} finally {
  await bench.close()
}

/** MB/s of one download; the bytes are counted and discarded. */
async function download(url: URL): Promise<number> {
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, 'connect')
  const before = performance.now()
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n\r\n`)
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await once(socket, 'close')
  if (bytes < FILE_BYTES) throw new Error(`only ${bytes} bytes came`)
  return bytes / 2 ** 20 / ((performance.now() - before) / 1000)
}

/** Requests the first page over keep-alive connections, one request at a time on each; nginx closes a connection after 1,000 of them. */
async function load(url: string, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const times: number[] = []
  const started = performance.now()
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const asked = performance.now()
      get(url, { agent }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
        answer.resume().once('end', () => {
          times.push(performance.now() - asked)
          resolve()
        })
      }).once('error', reject)
    })
  const lane = async () => {
    while (performance.now() - started < seconds * 1000) await ask()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  agent.destroy()
  const passed = (performance.now() - started) / 1000
  return { perSecond: Math.round(times.length / passed), p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}
