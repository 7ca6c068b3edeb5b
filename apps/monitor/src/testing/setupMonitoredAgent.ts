import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startMonitoredMarket } from '@rackfair/testkit'
import { pino } from 'pino'
import { createWalletClient, http, type LocalAccount } from 'viem'
import { createAttestations } from '../../../agent/src/uptime/createAttestations.ts'
import { createKnownMonitors } from '../../../agent/src/uptime/knownMonitors.ts'
import { openEvidence } from '../../../agent/src/uptime/openEvidence.ts'
import { createMonitor } from '../createMonitor.ts'
import { openObservations } from '../openObservations.ts'
import { scheduleOf } from '../schedule.ts'
import { startServer } from '../startServer.ts'

const CHAIN = 2985

/**
 * A market with a running order, the agent's side of its node behind a real port, and `count` monitors with a bond. One clock for all, which the
 * test sets; the chain follows it.
 */
export async function setupMonitoredAgent(count: number) {
  const gatewayPort = await freePort()
  const market = await startMonitoredMarket({ monitors: count, gatewayPort })
  const { client, addresses, contract, calendar, provider, operator } = market
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-monitors-'))
  let clock = Number((await client.getBlock()).timestamp)
  const now = () => clock

  const evidence = openEvidence(join(folder, 'evidence.sqlite'))
  const node = { orderId: market.orderIds[0] ?? 0n, market: addresses.market, healthy: true }
  const attestations = createAttestations({
    ...{ account: operator, chainId: CHAIN, provider: provider.address, evidence, now },
    monitors: createKnownMonitors({ client, addresses }, () => clock * 1000),
    node: (nodeId) => (nodeId === 1n ? node : undefined),
    // All monitors ask from one address here.
    pace: { burst: 1000, refillMs: 1 },
  })
  let server: Server | undefined
  const openGateway = async () => {
    server = createServer((request, response) => {
      void attestations[request.url === '/.rackfair/attestation' ? 'attestation' : 'acknowledgement'](request, response)
    })
    await new Promise<void>((resolve) => server?.listen(gatewayPort, '127.0.0.1', resolve))
  }
  const closeGateway = async () => {
    const open = server
    server = undefined
    if (open) await new Promise((resolve) => open.close(resolve))
  }
  await openGateway()

  const schedule = { ...scheduleOf(calendar), retryMs: 1 }
  const open = async (account: LocalAccount, file: string) => {
    const observations = openObservations(file, calendar)
    const published = await startServer({ host: '127.0.0.1', port: 0, monitor: account.address, observations, calendar, now })
    await market.send(account, 'announce', [`http://127.0.0.1:${published.port}`])
    const monitor = createMonitor({
      ...{ account, client, addresses, observations, now, calendar, schedule, monitors: contract, chainId: CHAIN },
      writer: createWalletClient({ account, transport: http(market.rpcUrl) }),
      log: pino({ level: 'silent' }),
    })
    return { ...monitor, account, observations, file, published }
  }
  const monitors: Awaited<ReturnType<typeof open>>[] = []
  for (const [index, account] of market.accounts.entries()) monitors.push(await open(account, join(folder, `${index}.sqlite`)))

  return {
    ...{ market, evidence, node, monitors, schedule, openGateway, closeGateway },
    /** Ends a monitor as kill -9 would, and starts it again from its file. */
    async restart(index: number) {
      const old = monitors[index] as (typeof monitors)[number]
      await old.published.stop()
      monitors[index] = await open(old.account, old.file)
      old.observations.close()
    },
    /** It is now this Unix time, for everybody. */
    async at(timestamp: number) {
      clock = timestamp
      await market.at(timestamp)
    },
    async stop() {
      await closeGateway()
      for (const { published, observations } of monitors) {
        await published.stop()
        observations.close()
      }
      evidence.close()
      await market.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
