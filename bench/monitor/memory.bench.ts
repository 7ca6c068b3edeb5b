import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { freePort, startMonitoredMarket } from '@rackfair/testkit'
import { createTestClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { LOCAL_PACE } from '../../apps/market/src/deployContracts.ts'
import { monitorProcess } from '../../apps/market/src/monitors.ts'
import { openAgentSide } from '../../apps/monitor/src/testing/openAgentSide.ts'
import { builtProgram } from '../../scripts/build/builtProgram.ts'
import { cpuSeconds, stopProgram } from '../platform/startProgram.ts'
import { table } from '../platform/table.ts'

/**
 * Memory and processor time of three monitors as the local market starts them, compared with an idle Node. They probe four providers with
 * five running orders each; a block is mined every second.
 */
const PROVIDERS = 4
const ORDERS = 5
const MONITORS = 3
/** The local market runs fifteen times as fast as any other. */
const pace = process.env.RACKFAIR_PACE === 'production' ? PRODUCTION_PACE : LOCAL_PACE
const MINUTES = Number(process.env.RACKFAIR_MINUTES ?? 10)

const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-monitor-'))
const program = process.env.RACKFAIR_MONITOR ?? (await builtProgram('monitor'))
const gatewayPorts: number[] = []
for (let count = 0; count < PROVIDERS; count += 1) gatewayPorts.push(await freePort())
const market = await startMonitoredMarket({ monitors: 0, orders: ORDERS, gatewayPorts, pace })
const { client, addresses, chain, rpcUrl } = market
const sides = market.fleet.map(({ account, operator, orderIds }, index) =>
  openAgentSide({
    ...{ client, addresses, provider: account.address, port: gatewayPorts[index] ?? 0, file: join(folder, `${index}.sqlite`) },
    ...{ signer: () => operator, now: () => Math.floor(Date.now() / 1000) },
    node: (nodeId) => {
      const orderId = orderIds[Number(nodeId) - 1]
      return orderId === undefined ? undefined : { orderId, market: addresses.market, healthy: true, runs: undefined }
    },
  }),
)
const children: { name: string; child: ChildProcess }[] = []
const miner = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
const mining = setInterval(() => void miner.mine({ blocks: 1 }).catch(() => {}), 1_000)
try {
  for (const side of sides) await side.open()
  children.push({ name: 'node that does nothing', child: spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']) })
  for (let number = 1; number <= MONITORS; number += 1) {
    const dir = join(folder, String(number))
    mkdirSync(dir)
    const key = generatePrivateKey()
    await market.join(privateKeyToAccount(key))
    writeFileSync(join(dir, 'key'), key, { mode: 0o600 })
    const monitor = { name: `monitor ${number}`, dir, keyFile: join(dir, 'key'), port: await freePort() }
    const local = { deployment: chain.deployment } as Parameters<typeof monitorProcess>[0]['market']
    const { command, args, env, isReady } = monitorProcess({ program, market: local, rpcUrl, monitor })
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
    children.push({ name: monitor.name, child })
    while (!(await isReady().catch(() => false))) await sleep(100)
  }
  await sleep(60_000)
  const before = children.map(({ child }) => cpuSeconds(child))
  const began = performance.now()
  await sleep(MINUTES * 60_000)
  const seconds = (performance.now() - began) / 1_000
  table(
    ['process', 'resident MB', 'proportional MB', 'its own MB', '% of a core'],
    children.map(({ name, child }, index) => {
      const { rss, pss, own } = memoryOf(child)
      const share = ((cpuSeconds(child) - (before[index] ?? 0)) / seconds) * 100
      return [name, rss, pss, own, share.toFixed(2)]
    }),
  )
  console.log(
    `\n${PROVIDERS * ORDERS} nodes, ${MINUTES} minutes, epochs of ${pace.epochSeconds} s; load ${readFileSync('/proc/loadavg', 'utf8').slice(0, 14)}`,
  )
} finally {
  clearInterval(mining)
  await Promise.all(children.map(({ child }) => stopProgram(child)))
  for (const side of sides) await side.stop()
  await market.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** In MB: RSS, PSS, and unique. */
function memoryOf({ pid }: ChildProcess) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text)?.[1] ?? Number.NaN) / 1_024
  const round = (value: number) => value.toFixed(1)
  return { rss: round(read('Rss')), pss: round(read('Pss')), own: round(read('Private_Clean') + read('Private_Dirty')) }
}
