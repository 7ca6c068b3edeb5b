import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { freePort, type MonitoredProvider, startMonitoredMarket } from '@rackfair/testkit'
import { pino } from 'pino'
import { createWalletClient, type LocalAccount } from 'viem'
import type { AttestedNode } from '../../../agent/src/uptime/createAttestations.ts'
import { createMetrics } from '../createMetrics.ts'
import { createMonitor } from '../createMonitor.ts'
import { openResults } from '../hardware/openResults.ts'
import { openObservations } from '../openObservations.ts'
import { type Schedule, scheduleOf } from '../schedule.ts'
import { startServer } from '../startServer.ts'
import { openAgentSide } from './openAgentSide.ts'

const CHAIN = 2985

/**
 * A market with `providers` agents, each with `orders` running orders, and `monitors` bonded monitors. All share one clock, which the test
 * sets; the chain follows it.
 */
export async function setupMonitoredAgents(options: {
  monitors: number
  providers?: number
  orders?: number
  schedule?: Partial<Schedule>
  /** The agents listen behind a TLS proxy, on the ports that this returns for those that they registered. */
  behindTls?: (registeredPort: number) => number
}) {
  const gatewayPorts: number[] = []
  for (let count = 0; count < (options.providers ?? 1); count += 1) gatewayPorts.push(await freePort())
  const market = await startMonitoredMarket({ monitors: options.monitors, orders: options.orders ?? 1, gatewayPorts })
  const { client, addresses, contract, findings, calendar } = market
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-monitors-'))
  let clock = Number((await client.getBlock()).timestamp)
  const now = () => clock

  const openAgent = ({ account, operator, orderIds }: MonitoredProvider, index: number) => {
    const nodes = orderIds.map((orderId): AttestedNode => ({ orderId, market: addresses.market, healthy: true, runs: undefined }))
    const at = { port: gatewayPorts[index] ?? 0, data: join(folder, `agent${index}`) }
    const agent = { ...at, signer: operator, provider: account, operator, orderIds, nodes }
    const side = openAgentSide({
      ...{ client, addresses, now, provider: account.address, file: join(agent.data, 'evidence.sqlite') },
      ...{ port: options.behindTls?.(agent.port) ?? agent.port, tls: options.behindTls !== undefined },
      signer: () => agent.signer,
      node: (nodeId) => nodes[Number(nodeId) - 1],
    })
    return Object.assign(agent, { side })
  }
  const agents = market.fleet.map(openAgent)
  for (const { side } of agents) await side.open()

  const schedule = { ...scheduleOf(calendar), retryMs: 1, ...options.schedule }
  const open = async (account: LocalAccount, file: string, signer = account) => {
    const observations = openObservations(file, calendar)
    const metrics = createMetrics()
    const publishing = { host: '127.0.0.1', port: 0, monitor: lowerCaseAddress(account.address) }
    const hardware = openResults(`${file}.hardware`)
    const published = await startServer({ ...publishing, observations, hardware, calendar, metrics, now })
    await market.send(account, 'announce', [`http://127.0.0.1:${published.port}`])
    const monitor = createMonitor({
      ...{ account, signer, client, addresses, observations, now, calendar, schedule, metrics, chainId: CHAIN },
      ...{ monitors: contract, findings },
      writer: createWalletClient({ account, transport: market.transport }),
      log: pino({ level: 'silent' }),
    })
    return { ...monitor, account, signer, observations, hardware, file, published }
  }
  const monitors: Awaited<ReturnType<typeof open>>[] = []
  for (const [index, account] of market.accounts.entries()) monitors.push(await open(account, join(folder, `${index}.sqlite`)))

  const at = async (timestamp: number) => {
    clock = timestamp
    await market.at(timestamp)
  }
  return {
    ...{ market, agents, monitors, schedule },
    /** Kills a monitor as kill -9 would, and restarts it from its file, with the same key or another. */
    async restart(index: number, signer?: LocalAccount) {
      const old = monitors[index] as (typeof monitors)[number]
      await old.published.stop()
      monitors[index] = await open(old.account, old.file, signer ?? old.signer)
      old.observations.close()
      old.hardware.close()
    },
    /** Sets the unix time for all of them. */
    at,
    /** The next period for which monitors are drawn, as `drawMonitors`. */
    nextPeriod: () => market.nextPeriod(at),
    async stop() {
      for (const { side } of agents) await side.stop()
      for (const { published, observations, hardware } of monitors) {
        await published.stop()
        observations.close()
        hardware.close()
      }
      await market.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type MonitoredAgents = Awaited<ReturnType<typeof setupMonitoredAgents>>
export type SimulatedAgent = MonitoredAgents['agents'][number]
