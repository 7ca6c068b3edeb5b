import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type PresetWire, presetList } from '@rackfair/protocol/presets'
import { zodOf } from '@rackfair/protocol/zodOf'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { readAddresses, readMarket } from '@rackfair/sdk'
import { readMonitors } from '@rackfair/sdk/uptime'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Address, createPublicClient, http, type PublicClient } from 'viem'
import { createAlerts } from './alerts/createAlerts.ts'
import { createLateReader } from './alerts/createLateReader.ts'
import { readPurses } from './alerts/readPurses.ts'
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
import { Relay } from './relay/Relay.ts'
import { SettingsError } from './settings/parseSettings.ts'
import type { MarketDeployment, Settings } from './settings/Settings.ts'
import { listenOn } from './store/listenOn.ts'
import { openStore } from './store/openStore.ts'
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

interface Options {
  /** Unix milliseconds. */
  clock?: (() => number) | undefined
  /** How many errors nothing has handled. */
  uncaught?: () => number
}

type Ground = Awaited<ReturnType<typeof openGround>>
type View = Awaited<ReturnType<typeof openView>>
type Services = ReturnType<typeof openServices>

/**
 * Starts the roles that the settings name in this process, level by level: each uses only those before it. Everything ends in the opposite
 * order.
 */
export async function startPlatform(settings: Settings, log: Logger, options: Options = {}): Promise<Platform> {
  const ground = await openGround(settings, log, options)
  const view = await openView(ground)
  const services = openServices(ground, view)
  const doors = openDoors(ground, view, services)
  const work = await startWork(ground, view, services)
  const stop = async () => {
    work.stop()
    await doors.close()
    ground.feed.close()
    await services.alerts.settle()
    await view.presence.write().catch(() => undefined)
    await ground.store.close()
  }
  const port = await listen(doors.server, settings).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  if (settings.port === 0) settings.origins.push(`http://127.0.0.1:${port}`, `http://localhost:${port}`)
  return { port, url: `http://${settings.host}:${port}`, sweep: work.sweep, stop }
}

/** What everything else stands on: the store, the news of it, and the chain. */
async function openGround(settings: Settings, log: Logger, { clock = Date.now, uncaught }: Options) {
  const store = await openStore(storeOf(settings))
  const metrics = createMetrics(uncaught)
  const feed = new ChangeFeed(store, FEED_POLL_MS)
  const cache = new ResponseCache()
  return {
    ...{ settings, log, clock, store, db: store.db, metrics, feed, cache },
    indexer: settings.role === 'api' ? undefined : startIndexer(settings, { feed, metrics, log }),
    client: createPublicClient({ transport: http(settings.rpcUrl, { timeout: 5_000, retryCount: 1 }), cacheTime: 0 }),
    limiter: new RateLimiter(settings.rateScale),
    block: () => Math.max(0, feed.position.block),
    callerOf: (request: IncomingMessage) => callerNetwork(request, settings.trustedProxies),
    touch: (...topics: Topic[]) => topics.forEach((topic) => void cache.touch(topic)),
  }
}

/** The market in memory, in step with the rows. */
async function openView(ground: Ground) {
  const { store, settings, clock, touch } = ground
  const news = new EventEmitter<{ presence: [readonly LowerCaseAddress[]] }>()
  const presence = new Presence(store, clock, (providers) => news.emit('presence', providers), settings.relayUrls[0])
  const reliability = new Reliability(store.db)
  const hardware = new Hardware(store.db)
  const nodeIndex = new NodeIndex(store.db, presence, reliability, hardware)
  news.on('presence', (providers) => {
    for (const provider of providers) nodeIndex.forgetWires(provider)
    touch('presence')
  })
  const view = { presence, reliability, hardware, nodeIndex }
  await followFeed({ ...ground, ...view })
  await presence.start()
  return view
}

/** What acts on the market: agents, people who sign in, and whoever wants to be told. */
function openServices(ground: Ground, { presence, nodeIndex }: View) {
  const { settings, store, db, client, feed, clock, log, block, callerOf } = ground
  const { chainId, credit } = settings.deployment
  const deployments = new DeploymentStore(store, clock)
  const { origins, minAgentVersion, faucetKey, rpcUrl } = settings
  const onNews = () => feed.wake()
  const relay = new Relay({
    ...{ db, chainId, origins, minAgentVersion, client, presence, deployments, log, callerOf, onNews },
  })
  return {
    ...{ deployments, relay },
    endCalls:
      store.pool &&
      listenOn(store.pool, 'rackfair_call', (provider) => {
        if (provider) void relay.deliver(lowerCaseAddress(provider)).catch(() => undefined)
      }),
    callOthers: async (provider: LowerCaseAddress) => {
      if (store.kind === 'postgres') await sql`select pg_notify('rackfair_call', ${provider})`.execute(db)
    },
    sessions: new Sessions({ db, client, chainId }),
    faucet: faucetKey ? new Faucet({ rpcUrl, key: faucetKey, credit }) : undefined,
    alerts: createAlerts({
      ...{ settings, db, presence, clock, log, block },
      funds: {
        provider: (address) => nodeIndex.provider(address, feed.position),
        gasOf: createLateReader((account) => client.getBalance({ address: account as Address }), clock),
      },
      purses: readPurses(client, settings.deployment, clock),
    }),
  }
}

/** What others reach of this process: pages, the API, event streams, and the connections of agents and visitors. */
function openDoors(ground: Ground, view: View, services: Services) {
  const { settings, limiter, block, callerOf, indexer } = ground
  const { relay, endCalls, sessions } = services
  let accepting = true
  const fastPath = new FastPath({
    block,
    allows: (request) => limiter.take('read', callerOf(request), RATES.read) === 0,
    common: securityHeaders(settings),
  })
  const context: AppContext = {
    ...{ ...ground, ...view, ...services, fastPath },
    alerts: services.alerts.rules,
    presets: readPresets(settings.presetsFolder),
    accepting: () => accepting,
  }
  const { app, streams, pages } = createApp(context, sessions)
  const server = createHttpServer(app, fastPath, {
    relay: (...upgrade) => relay.upgrade(...upgrade),
    workspace: (...upgrade) => relay.visitors.upgrade(...upgrade),
  })
  return {
    server,
    /** Resolves when everybody has been answered or cut off, and nothing more is indexed. */
    async close(): Promise<void> {
      accepting = false
      server.close()
      streams.closeAll()
      relay.close()
      endCalls?.()
      if ('closeIdleConnections' in server) server.closeIdleConnections()
      await pages.close()
      await indexer?.stop()
      await drained(server, DRAIN_MS)
    },
  }
}

/** Everything that runs by itself from now on. */
async function startWork(ground: Ground, view: View, { deployments, sessions, alerts }: Services) {
  const { settings, client, touch } = ground
  const { presence, reliability, nodeIndex } = view
  const { access } = settings.deployment
  const collect = createCollectors(ground)
  await readParams(client, access, nodeIndex)
  const sweep = async () => {
    await presence.sweep()
    if (await readParams(client, access, nodeIndex)) touch('market')
    await deployments.expire()
    if (await reliability.readPace(async () => (await readMonitors(client, access))?.pace)) {
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
  return {
    sweep,
    /** Nothing begins any more. */
    stop(): void {
      for (const timer of timers) clearInterval(timer)
    },
  }
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
async function followFeed({ feed, presence, reliability, hardware, nodeIndex, touch }: Ground & View) {
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
function createCollectors({ settings, store, client, feed, clock, log }: Ground) {
  const { chainId, access } = settings.deployment
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
