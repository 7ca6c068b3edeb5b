import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import type { DeploymentWire } from '@rackfair/protocol/deployments'
import { lowerCaseAddress } from '@rackfair/rules/address'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { AgentContext } from './AgentContext.ts'
import { awaitChain } from './chain/read/awaitChain.ts'
import { watchOrders } from './chain/read/watchOrders.ts'
import type { AgentConfig } from './config/agentConfig.ts'
import { loadOperatorKey } from './config/operatorKey.ts'
import { openAgentDb } from './db/openAgentDb.ts'
import { createOwnDomains } from './doors/edge/createOwnDomains.ts'
import { openEdges, ownCaa } from './doors/edge/openEdges.ts'
import { createDomainsHandler } from './doors/edge/serveDomains.ts'
import { startGateway } from './doors/gateway/startGateway.ts'
import { createMetrics } from './doors/metrics/createMetrics.ts'
import { serveMetrics } from './doors/metrics/serveMetrics.ts'
import { createOwnerOf, isOver } from './doors/owner/createOwnerOf.ts'
import { createSignatureCheck } from './doors/owner/createSignatureCheck.ts'
import { createWorkspaceKeys } from './doors/owner/createWorkspaceKeys.ts'
import { openRelays } from './doors/relay/openRelays.ts'
import { startWorkspaces } from './doors/startWorkspaces.ts'
import { loadEncryptionKeys } from './doors/workspace/encryptionKeys.ts'
import { createLog } from './foundation/log.ts'
import { reasonOf } from './foundation/reasonOf.ts'
import { AGENT_TIMES, type AgentTimes } from './foundation/times.ts'
import { AGENT_VERSION } from './foundation/version.ts'
import { machineHardware } from './machine/detect/machineHardware.ts'
import { createGpuWatch } from './machine/gpu/createGpuWatch.ts'
import { tryGpus } from './machine/gpu/tryGpus.ts'
import { openHardwareTests } from './machine/hardware/openHardwareTests.ts'
import { openRuntime } from './machine/openRuntime.ts'
import { startUsage } from './machine/usage/startUsage.ts'
import { createUsageRing } from './machine/usage/usageRing.ts'
import { createReconcileLoop } from './orders/createReconcileLoop.ts'
import { openOrders } from './orders/openOrders.ts'
import { createOrderNotes } from './orders/orderNotes.ts'
import { loadCatalog, PRESETS_FOLDER } from './presets/loadCatalog.ts'
import { prepareImages } from './presets/prepareImages.ts'
import { createKnownMonitors } from './uptime/knownMonitors.ts'
import { openEvidence } from './uptime/openEvidence.ts'
import { watchFindings } from './uptime/watchFindings.ts'

export interface StartOptions {
  config: AgentConfig
  data: string
  logger: Logger
  times?: AgentTimes
  terminalIdleMs?: number
  /** The clock of this machine in Unix milliseconds; it may be wrong, and may jump. */
  clock?: () => number
  /** Errors since the start that nothing handled. */
  uncaught?: () => number
  /**
   * Called once when this agent cannot continue (another chain, a second agent with its key) and should be stopped. Tenants keep running.
   */
  onFatal?: () => void
}

const TERMINAL_IDLE_MS = 30 * 60_000

export type RunningAgent = Awaited<ReturnType<typeof startAgent>>

/**
 * Starts a complete agent, level by level: each uses what stands below it, and nothing that does not stand yet. What a lower level has to
 * tell goes out as news. `stop` leaves the tenants running unless the configuration or its caller says otherwise.
 */
export async function startAgent(options: StartOptions) {
  const ground = openGround(options)
  const machine = await openMachine(ground)
  const orders = openMarketOrders(ground, machine)
  const doors = await openDoors(ground, machine, orders)
  const work = startWork(ground, machine, orders, doors)
  const { config, chain, state, log } = ground
  const { relays, gateway } = doors
  log.info('ready', { gateway: gateway.port, provider: config.provider, operator: lowerCaseAddress(ground.account.address) })

  return {
    ...{ manager: orders.manager, runtime: machine.runtime, gpus: machine.gpus, relays, chain, state, gatewayPort: gateway.port },
    async stop({ stopWorkloads = config.stopWorkloadsOnExit } = {}) {
      chain.stop()
      work.stop()
      await doors.renters.server.stop()
      relays.stop()
      machine.gpus.stop()
      await machine.images?.stopBuilds()
      await work.ended()
      orders.recorder.stop()
      await doors.close()
      await orders.manager.stop()
      await work.reconciled()
      // Not earlier: a reconciliation in progress would open the ports again.
      orders.forwards.closeAll()
      await machine.runtime.close({ stopWorkloads })
      orders.hardware.close()
      orders.evidence.close()
      state.close()
      log.info('stopped')
    },
  }
}
type Ground = ReturnType<typeof openGround>
type Machine = Awaited<ReturnType<typeof openMachine>>
type Orders = ReturnType<typeof openMarketOrders>
type Doors = Awaited<ReturnType<typeof openDoors>>

/** Its state, its clock, the chain, and the loop that nothing runs in yet. */
function openGround({ config, data, ...options }: StartOptions) {
  const log = createLog(options.logger)
  const times = options.times ?? AGENT_TIMES
  const clock = options.clock ?? Date.now
  const account = loadOperatorKey(config.operatorKeyFile)
  const presetsFolder = config.presetsFolder ?? PRESETS_FOLDER
  const presets = loadCatalog(presetsFolder)
  const state = openAgentDb(join(data, 'agent.sqlite'))
  const loop = createReconcileLoop(times.reconcileMs)
  const onFatal = () => options.onFatal?.()
  const chain = openChain(config, { state, times, log, onOpen: loop.wake, onFatal })
  const now = () => Math.floor(clock() / 1000)
  return {
    ...{ config, data, account, presets, presetsFolder, state, chain, loop, times, clock, now, log, onFatal },
    terminalIdleMs: options.terminalIdleMs ?? TERMINAL_IDLE_MS,
    uncaught: options.uncaught ?? (() => 0),
    news: new EventEmitter<{ status: [DeploymentWire] }>(),
  }
}

/** What orders run on. */
async function openMachine({ config, data, presets, presetsFolder, state, loop, log }: Ground) {
  const ofThisMachine = await machineHardware(config, data)
  const opened = await openRuntime({ config, data, presets, presetsFolder, ofThisMachine, state, log })
  const gpus = createGpuWatch({ gpus: opened.hardware.gpus, log, onChange: loop.wake })
  const encryptionKeys = await loadEncryptionKeys(join(data, 'encryption-keys.json'))
  return { ...opened, gpus, encryptionKeys }
}

/** The orders, what they use, and what monitors may ask about them. */
function openMarketOrders(ground: Ground, { runtime, hardware, gpus, encryptionKeys }: Machine) {
  const { data, chain, clock, news, log } = ground
  const context: AgentContext = { ...ground, runtime }
  const usageRing = createUsageRing(join(data, 'usage'))
  const notes = createOrderNotes(join(data, 'notes'), { now: clock, log })
  const monitors = createKnownMonitors(chain, clock)
  const { manager, outbox, forwards } = openOrders({
    ...context,
    ...{ presets: ground.presets, hardware, gpus, monitors, encryptionKeys, usageRing, notes },
    onStatus: (deployment) => news.emit('status', deployment),
  })
  return {
    ...{ context, usageRing, notes, monitors, manager, outbox, forwards },
    ...startUsage({ ...context, clock, gpus, nodes: manager.nodes, usageRing }),
    evidence: openEvidence(join(data, 'evidence.sqlite')),
    hardware: openHardwareTests({ ...context, monitors, node: manager.node }),
  }
}

/** What others reach of this agent: the platforms, the renters, the visitors, and whoever reads its metrics. */
async function openDoors(ground: Ground, machine: Machine, orders: Orders) {
  const { config, data, state, chain, account, presets, terminalIdleMs, news, now, log } = ground
  const { images, gpus, encryptionKeys } = machine
  const { context, manager, monitors, evidence, hardware, meter, gpusOf } = orders
  const relays = openRelays({
    ...{ ...context, presets, images, hardware: machine.hardware, encryptionKeys, manager },
    // The tenant needs the resources being measured.
    onDeploy: hardware.stop,
    onDuplicate: ground.onFatal,
  })
  news.on('status', relays.status)
  const isSigned = createSignatureCheck(chain)
  const workspaceKeys = createWorkspaceKeys(state, now)
  const ownerOf = createOwnerOf(config.provider, chain)
  const domains = createOwnDomains({
    ...{ db: state.db, now, log },
    isOver: (orderId) => isOver(ownerOf(orderId)),
    caa: () => ownCaa(config.gateway, ground.data),
  })
  const renters = await startWorkspaces({
    ...{ ...context, notes: orders.notes, encryptionKeys, isSigned, relays, terminalIdleMs, keys: workspaceKeys },
    usage: { meter, ring: orders.usageRing, gpuCount: (orderId) => gpusOf(orderId).length },
    serviceOf: manager.serviceOf,
    deploymentsOf: state.deploymentsOf,
    power: manager.power,
    domains: createDomainsHandler(domains),
    machines: { version: AGENT_VERSION, nodes: manager.nodes, records: orders.nodeRecords, watch: gpus, now },
  })
  const metrics = createMetrics({
    ...{ version: AGENT_VERSION, provider: config.provider, data, platforms: relays.connections, uncaught: ground.uncaught },
    block: async () => (await chain.head()).number,
    gasWei: async () => chain.client.getBalance({ address: account.address }),
    ...{ orders: manager.liveDeployments, transactions: orders.outbox.open, running: orders.usageOrders, measure: meter.measure },
    ...{ gpus: gpus.gpus, readingOf: gpus.readingOf, problemOf: gpus.problemOf },
  })
  const metricsServer = config.metrics && (await serveMetrics(config.metrics, metrics, log))
  const gateway = await startGateway({
    ...{ ...context, manager, relays, monitors, evidence, hardware, isSigned, workspaceKeys, terminalIdleMs },
    onAnswer: metrics.answered,
    orderOfDomain: domains.orderOf,
  })
  const isLive = (orderId: bigint) => manager.visit(orderId) !== undefined
  const edges = await openEdges({ ...context, receive: gateway.receive, isLive, domains })
  return {
    ...{ relays, renters, gateway },
    /** After the visitors' sessions have ended. */
    async close(): Promise<void> {
      edges.close()
      domains.close()
      metricsServer?.close()
      await renters.close()
      await gateway.close()
    },
  }
}

/** Everything that runs by itself from now on. */
function startWork(ground: Ground, { runtime, images, hardware, gpus }: Machine, orders: Orders, { relays }: Doors) {
  const { config, data, chain, state, presets, loop, times, now, log } = ground
  const { manager, monitors, outbox, evidence } = orders
  let stopped = false
  loop.start(manager.reconcile)
  const watch = setInterval(() => {
    runtime.check().catch((error: unknown) => log.error('isolation cannot be restored', { reason: reasonOf(error) }))
  }, times.firewallMs)
  const stopDisputes = watchFindings({ chain, monitors, provider: config.provider, evidence, outbox, log, now })
  const watchedOrders = watchOrders(chain, () => new Set(state.commands().map((one) => one.orderId)), loop.wake, times.ordersMs)
  // A GPU that does not start is never offered to buyers.
  const tried = tryGpus({ runtime, presets, usedSlots: () => state.commands().map((one) => one.slot), watch: gpus, log })
    .then(() => (hardware.gpus.length > 0 && !stopped ? manager.reconcile() : undefined))
    .catch((error: unknown) => log.error('the GPUs cannot be tried', { reason: reasonOf(error) }))
    .finally(() => {
      if (stopped) return
      gpus.start()
      relays.start()
    })
  const prepared =
    images &&
    prepareImages({
      ...{ runtime: { images }, names: config.prepareImages, presets: [...presets.values()], log },
      folder: join(data, 'images', 'builds'),
    })
  return {
    /** Nothing begins any more. */
    stop(): void {
      stopped = true
      clearInterval(watch)
      watchedOrders.stop()
      loop.stop()
    },
    /** Resolves when builds and trials have ended. */
    ended: () => Promise.all([prepared, tried]),
    /** Resolves when the last dispute and the last reconciliation have ended. */
    async reconciled(): Promise<void> {
      await stopDisputes()
      await loop.ended()
    },
  }
}

/** The configured chain; the agent cannot continue on a chain other than its previous one. */
function openChain(
  config: AgentConfig,
  {
    state,
    times,
    log,
    onOpen,
    onFatal,
  }: Pick<AgentContext, 'state' | 'times' | 'log'> & Record<'onOpen' | 'onFatal', () => void>,
) {
  return awaitChain({
    ...config,
    knownGenesis: state.fact('genesis') as Hex | undefined,
    onOpen(genesis) {
      state.putFact('genesis', genesis)
      onOpen()
    },
    onOtherChain(error) {
      log.error(error.message, { code: error.code, ...error.facts })
      onFatal()
    },
    log,
    answerMs: times.chainAnswerMs,
    retryMs: times.chainRetryMs,
  })
}
