import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PresetWire, presetList } from '@rackfair/protocol/presets'
import { zodOf } from '@rackfair/protocol/zodOf'
import { readAddresses, readMarket } from '@rackfair/sdk'
import { readMonitors } from '@rackfair/sdk/uptime'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Address, createPublicClient, http, type PublicClient } from 'viem'
import { createAlerts } from './alerts/createAlerts.ts'
import { createGasReader } from './alerts/observeFunds.ts'
import { Sessions } from './auth/Sessions.ts'
import { DeploymentStore } from './deployments/DeploymentStore.ts'
import { Faucet } from './faucet/Faucet.ts'
import { ChangeFeed } from './feed/ChangeFeed.ts'
import type { AppContext } from './http/AppContext.ts'
import { callerNetwork } from './http/callerNetwork.ts'
import { createApp } from './http/createApp.ts'
import { FastPath } from './http/FastPath.ts'
import { securityHeaders } from './http/guard.ts'
import { createHttpServer, drained, listen } from './http/httpServer.ts'
import { RATES } from './http/limit.ts'
import { createMetrics } from './http/Metrics.ts'
import { ResponseCache, type Topic } from './http/ResponseCache.ts'
import type { ContractKind } from './indexer/decodeLog.ts'
import { startIndexerWorker } from './indexer/startIndexerWorker.ts'
import { RateLimiter } from './limits/RateLimiter.ts'
import { Presence } from './presence/Presence.ts'
import { NodeIndex } from './read/NodeIndex.ts'
import { listenForCalls } from './relay/listenForCalls.ts'
import { Relay } from './relay/Relay.ts'
import { SettingsError } from './settings/parseSettings.ts'
import type { MarketDeployment, Settings } from './settings/Settings.ts'
import { openStore, type Store } from './store/openStore.ts'
import { createHardwareCollector } from './uptime/collectHardware.ts'
import { createCollector } from './uptime/collectReports.ts'
import { Hardware } from './uptime/Hardware.ts'
import { Reliability } from './uptime/Reliability.ts'

const FEED_POLL_MS = 500
const SWEEP_INTERVAL_MS = 3_000
const DRAIN_MS = 3_000

export interface Platform {
  port: number
  url: string
  /** Detects agents that have disconnected and requests that have waited too long; runs every three seconds by itself. */
  sweep(): Promise<void>
  stop(): Promise<void>
}

/** Starts the roles that the settings name in this process. */
export async function startPlatform(
  settings: Settings,
  log: Logger,
  { clock = Date.now, uncaught }: { clock?: (() => number) | undefined; uncaught?: () => number } = {},
): Promise<Platform> {
  const store = await openStore(storeOf(settings))
  const metrics = createMetrics(uncaught)
  const feed = new ChangeFeed(store, FEED_POLL_MS)
  const { deployment } = settings
  const indexer = settings.role === 'api' ? undefined : startIndexer(settings, { feed, metrics, log })

  const client = createPublicClient({ transport: http(settings.rpcUrl, { timeout: 5_000, retryCount: 1 }), cacheTime: 0 })
  const presence = new Presence(
    store,
    clock,
    (providers) => {
      for (const provider of providers) nodeIndex.forgetWires(provider)
      touch('presence')
    },
    settings.relayUrls[0],
  )
  const reliability = new Reliability(store.db)
  const hardware = new Hardware(store.db)
  const nodeIndex = new NodeIndex(store.db, presence, reliability, hardware)
  const deployments = new DeploymentStore(store, clock)
  const cache = new ResponseCache()
  const touch = (...topics: Topic[]) => topics.forEach((topic) => void cache.touch(topic))
  let accepting = true

  const relay = new Relay({
    db: store.db,
    chainId: deployment.chainId,
    origins: settings.origins,
    minAgentVersion: settings.minAgentVersion,
    client,
    presence,
    deployments,
    log,
    callerOf: (request) => callerNetwork(request, settings.trustedProxies),
    onNews: () => feed.wake(),
  })
  const calls = store.pool && listenForCalls(store.pool, (provider) => relay.deliver(provider))
  const sessions = new Sessions({ db: store.db, client, chainId: deployment.chainId })
  const faucet = settings.faucetKey
    ? new Faucet({ rpcUrl: settings.rpcUrl, key: settings.faucetKey, credit: deployment.credit })
    : undefined

  const collect = createCollectors(settings, { store, client, feed, clock, log })

  await followFeed({ feed, presence, reliability, hardware, nodeIndex, touch })
  await presence.start()

  const alerts = createAlerts({
    ...{ settings, db: store.db, presence, clock, log },
    block: () => Math.max(0, feed.position.block),
    funds: {
      provider: (address) => nodeIndex.provider(address, feed.position),
      gasOf: createGasReader((account) => client.getBalance({ address: account as Address }), clock),
    },
  })
  const limiter = new RateLimiter(settings.rateScale)
  const fastPath = new FastPath({
    block: () => Math.max(0, feed.position.block),
    allows: (request) => limiter.take('read', callerNetwork(request, settings.trustedProxies), RATES.read) === 0,
    common: securityHeaders(settings),
  })
  const context: AppContext = {
    settings,
    log,
    db: store.db,
    client,
    feed,
    nodeIndex,
    presence,
    deployments,
    relay,
    faucet,
    alerts: alerts.rules,
    presets: readPresets(settings.presetsFolder),
    cache,
    fastPath,
    limiter,
    clock,
    reliability,
    hardware,
    metrics,
    callOthers: async (provider) => {
      if (store.kind === 'postgres') await sql`select pg_notify('rackfair_call', ${provider})`.execute(store.db)
    },
    accepting: () => accepting,
  }
  const { app, streams, pages } = createApp(context, sessions)
  const server = createHttpServer(app, fastPath, {
    relay: (...upgrade) => relay.upgrade(...upgrade),
    workspace: (...upgrade) => relay.visitors.upgrade(...upgrade),
  })
  await readParams(client, deployment.access, nodeIndex)
  const sweep = async () => {
    await presence.sweep()
    if (await readParams(client, deployment.access, nodeIndex)) touch('market')
    await deployments.expire()
    if (await reliability.readPace(async () => (await readMonitors(client, deployment.access))?.pace)) {
      nodeIndex.forgetAllWires()
      touch('market')
    }
    if (settings.role !== 'api') await collect()
  }
  const timers = [
    setInterval(() => void sweep().catch(() => undefined), SWEEP_INTERVAL_MS),
    // Processes with only the indexer role know no agents.
    ...(settings.role === 'indexer' ? [] : [setInterval(alerts.tell, SWEEP_INTERVAL_MS)]),
    setInterval(() => void sessions.forgetExpired().catch(() => undefined), 60_000),
  ]
  const stop = async () => {
    accepting = false
    for (const timer of timers) clearInterval(timer)
    server.close()
    streams.closeAll()
    relay.close()
    calls?.close()
    if ('closeIdleConnections' in server) server.closeIdleConnections()
    await pages.close()
    await indexer?.stop()
    await drained(server, DRAIN_MS)
    feed.close()
    await alerts.settle()
    await presence.write().catch(() => undefined)
    await store.close()
  }

  const port = await listen(server, settings).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  if (settings.port === 0) settings.origins.push(`http://127.0.0.1:${port}`, `http://localhost:${port}`)
  return { port, url: `http://${settings.host}:${port}`, sweep, stop }
}

/** What the owner of the Market has set decides what can be bought. True if it has changed; without the chain it stays as it is. */
async function readParams(client: PublicClient, access: Address, nodeIndex: NodeIndex): Promise<boolean> {
  try {
    const { penalty } = await readMarket(client, await readAddresses(client, access), 'market', 'params', [])
    return nodeIndex.setPenalty(penalty)
  } catch {
    return false
  }
}

function startIndexer(
  { deployment, rpcUrl, wsUrl, pollMs, ...settings }: Settings,
  { feed, metrics, log }: Pick<AppContext, 'feed' | 'metrics' | 'log'>,
) {
  const { chainId, access, fromBlock } = deployment
  return startIndexerWorker(
    {
      store: storeOf(settings),
      indexer: { ...{ rpcUrl, chainId, access, fromBlock }, contracts: contractKinds(deployment) },
      pollMs,
      wsUrl,
    },
    (message) => {
      if (message.type === 'commit') feed.wake()
      else if (message.type === 'line') log[message.level](message.facts, message.message)
      else metrics.differences.set(message.count)
    },
  )
}

/** Keeps the in-memory indexes in sync with the rows, and invalidates stale responses. */
async function followFeed({
  feed,
  presence,
  reliability,
  hardware,
  nodeIndex,
  touch,
}: Pick<AppContext, 'feed' | 'presence' | 'reliability' | 'hardware' | 'nodeIndex'> & { touch: (...topics: Topic[]) => void }) {
  feed.listen(async (changes, position) => {
    if (await hardware.follow(changes, position.blockTime)) {
      nodeIndex.forgetAllWires()
      touch('market')
    }
    if (await reliability.follow(changes, position.blockTime)) {
      nodeIndex.forgetAllWires()
      touch('market')
    }
    if (await nodeIndex.follow(changes)) touch('market')
    await presence.follow(changes)
    if (changes.some(({ event }) => event.type === 'order' || event.type === 'reset')) touch('order')
    if (changes.some(({ event }) => event.type === 'deployment')) touch('deployment')
    touch('block')
  })
  await feed.start(async () => {
    await reliability.load()
    await hardware.load()
    await nodeIndex.load()
  })
}

/** Fetches what monitors publish. */
function createCollectors(
  { deployment: { chainId, access } }: Settings,
  { store, client, feed, clock, log }: Pick<AppContext, 'client' | 'feed' | 'clock' | 'log'> & { store: Store },
) {
  const collectReports = createCollector({
    ...{ store, chainId, clock },
    onNews: () => feed.wake(),
    onProblem: (facts) => log.warn(facts, 'the reports of a monitor cannot be read'),
  })

  const collectHardware = createHardwareCollector({
    ...{ store, client, chainId, access, clock },
    onNews: () => feed.wake(),
    onProblem: (facts) => log.warn(facts, 'the hardware tests of a monitor cannot be read'),
  })
  return async () => {
    await collectReports()
    await collectHardware()
  }
}

const storeOf = ({ dataFolder, databaseUrl }: Pick<Settings, 'dataFolder' | 'databaseUrl'>) => ({ dataFolder, databaseUrl })

function contractKinds(deployment: MarketDeployment): Map<string, ContractKind> {
  return new Map([
    [deployment.registry, 'registry'],
    [deployment.pledge, 'pledge'],
    [deployment.market, 'market'],
    [deployment.monitors, 'monitors'],
  ])
}

function readPresets(folder: string): PresetWire[] {
  let text: unknown
  try {
    text = JSON.parse(readFileSync(join(folder, 'catalog.json'), 'utf8'))
  } catch (error) {
    throw new SettingsError(`the catalogue ${join(folder, 'catalog.json')} cannot be read: ${(error as Error).message}`)
  }
  const presets = zodOf(presetList).safeParse(text)
  if (!presets.success)
    throw new SettingsError(`catalog.json: ${presets.error.issues[0]?.path.join('.')} ${presets.error.issues[0]?.message}`)
  return presets.data
}
