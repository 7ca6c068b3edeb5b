import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { AgentContext } from '../AgentContext.ts'
import { awaitChain } from '../chain/awaitChain.ts'
import { watchOrders } from '../chain/watchOrders.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import { AGENT_TIMES, type AgentTimes } from '../config/agentTimes.ts'
import { loadOperatorKey } from '../config/operatorKey.ts'
import { machineHardware } from '../detect/machineHardware.ts'
import { createSignatureCheck } from '../gateway/createSignatureCheck.ts'
import { startGateway } from '../gateway/startGateway.ts'
import { createGpuWatch } from '../gpu/createGpuWatch.ts'
import { tryGpus } from '../gpu/tryGpus.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics/createMetrics.ts'
import { serveMetrics } from '../metrics/serveMetrics.ts'
import { createOrderNotes } from '../orderLog/orderNotes.ts'
import { createReconcileLoop } from '../orders/createReconcileLoop.ts'
import { openAgentDb } from '../orders/openAgentDb.ts'
import { loadCatalog, PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { reasonOf } from '../reasonOf.ts'
import { createKnownMonitors } from '../uptime/knownMonitors.ts'
import { watchFindings } from '../uptime/watchFindings.ts'
import { startUsage } from '../usage/startUsage.ts'
import { createUsageRing } from '../usage/usageRing.ts'
import { AGENT_VERSION } from '../version.ts'
import { createWorkspaceKeys } from '../workspace/createWorkspaceKeys.ts'
import { loadEncryptionKeys } from '../workspace/encryptionKeys.ts'
import { startWorkspaces } from '../workspace/startWorkspaces.ts'
import { openOrders } from './openOrders.ts'
import { openRelay } from './openRelay.ts'
import { openRuntime } from './openRuntime.ts'
import { prepareImages } from './prepareImages.ts'

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

/** Starts a complete agent. `stop` leaves the tenants running unless the configuration or its caller says otherwise. */
export async function startAgent({ config, data, ...options }: StartOptions) {
  const log = createLog(options.logger)
  const times = options.times ?? AGENT_TIMES
  const account = loadOperatorKey(config.operatorKeyFile)
  const presetsFolder = config.presetsFolder ?? PRESETS_FOLDER
  const presets = loadCatalog(presetsFolder)
  const state = openAgentDb(join(data, 'agent.sqlite'))
  let stopped = false
  const loop = createReconcileLoop(times.reconcileMs)
  const chain = openChain(config, { state, times, log, onOpen: loop.wake, onFatal: options.onFatal })
  const ofThisMachine = await machineHardware(config, data)
  const { runtime, images, hardware } = await openRuntime({ config, data, presets, presetsFolder, ofThisMachine, state, log })
  const gpus = createGpuWatch({ gpus: hardware.gpus, log, onChange: loop.wake })
  const encryptionKeys = await loadEncryptionKeys(join(data, 'encryption-keys.json'))
  const terminalIdleMs = options.terminalIdleMs ?? TERMINAL_IDLE_MS
  const clock = options.clock ?? Date.now
  const now = () => Math.floor(clock() / 1000)

  const usageRing = createUsageRing(join(data, 'usage'))
  const notes = createOrderNotes(join(data, 'notes'), { now: clock, log })

  const context: AgentContext = { config, data, account, state, chain, runtime, times, now, log }
  const monitors = createKnownMonitors(chain, clock)
  const { manager, outbox, forwards } = openOrders({
    ...context,
    ...{ presets, hardware, gpus, monitors, encryptionKeys, usageRing, notes },
    onStatus: (deployment) => relay.status(deployment),
  })
  const isSigned = createSignatureCheck(chain)
  const workspaceKeys = createWorkspaceKeys(state, now)
  const relay = openRelay({
    ...context,
    ...{ presets, images, hardware, encryptionKeys, manager },
    // The tenant needs the resources being measured.
    onDeploy: () => gateway.hardwareTests.stop(),
    visitors: () => renters.server,
    onDuplicate: () => options.onFatal?.(),
  })
  const { meter, nodeRecords, recorder, usageOrders, gpusOf } = startUsage({ ...context, clock, gpus, manager, usageRing })
  const renters = await startWorkspaces({
    ...context,
    ...{ notes, encryptionKeys, isSigned, relay, terminalIdleMs },
    keys: workspaceKeys,
    usage: { meter, ring: usageRing, gpuCount: (orderId) => gpusOf(orderId).length },
    foldersOf: (orderId) => manager.visit(orderId)?.preset.app.volumes.map(({ path }) => path) ?? [],
    deploymentsOf: state.deploymentsOf,
    power: manager.power,
    machines: { version: AGENT_VERSION, nodes: manager.nodes, records: nodeRecords, watch: gpus, now },
  })

  const metrics = createMetrics({
    ...{
      version: AGENT_VERSION,
      provider: config.provider,
      data,
      isConnected: relay.isConnected,
      uncaught: options.uncaught ?? (() => 0),
    },
    block: async () => (await chain.head()).number,
    gasWei: async () => chain.client.getBalance({ address: account.address }),
    orders: () => manager.liveDeployments(),
    transactions: outbox.open,
    running: usageOrders,
    measure: meter.measure,
    ...{ gpus: gpus.gpus, readingOf: gpus.readingOf, problemOf: gpus.problemOf },
  })
  const metricsServer = config.metrics && (await serveMetrics(config.metrics, metrics, log))
  const gateway = await startGateway({
    ...context,
    ...{ manager, relay, monitors, isSigned, workspaceKeys, terminalIdleMs },
    onAnswer: metrics.answered,
  })
  loop.start(manager.reconcile)
  const watch = setInterval(() => {
    runtime.check().catch((error: unknown) => log.error('isolation cannot be restored', { reason: reasonOf(error) }))
  }, times.firewallMs)
  const stopDisputes = watchFindings({ chain, monitors, provider: config.provider, evidence: gateway.evidence, outbox, log, now })
  const watchedOrders = watchOrders(chain, () => new Set(state.commands().map((one) => one.orderId)), loop.wake, times.ordersMs)
  // A GPU that does not start is never offered to buyers.
  const tried = tryGpus({ runtime, presets, usedSlots: () => state.commands().map((one) => one.slot), watch: gpus, log })
    .then(() => (hardware.gpus.length > 0 && !stopped ? manager.reconcile() : undefined))
    .catch((error: unknown) => log.error('the GPUs cannot be tried', { reason: reasonOf(error) }))
    .finally(() => {
      if (stopped) return
      gpus.start()
      relay.start()
    })
  const prepared =
    images &&
    prepareImages({
      ...{ runtime: { images }, names: config.prepareImages, presets: [...presets.values()], log },
      folder: join(data, 'images', 'builds'),
    })
  log.info('ready', { gateway: gateway.port, provider: config.provider, operator: account.address.toLowerCase() })

  return {
    manager,
    runtime,
    gpus,
    relay,
    chain,
    state,
    gatewayPort: gateway.port,
    async stop({ stopWorkloads = config.stopWorkloadsOnExit } = {}) {
      stopped = true
      chain.stop()
      clearInterval(watch)
      watchedOrders.stop()
      loop.stop()
      await renters.server.stop()
      relay.stop()
      gpus.stop()
      await images?.stopBuilds()
      await prepared
      await tried
      recorder.stop()
      metricsServer?.close()
      await renters.close()
      await gateway.close()
      await manager.stop()
      await stopDisputes()
      await loop.ended()
      // Not earlier: a reconciliation in progress would open the ports again.
      forwards.closeAll()
      await runtime.close({ stopWorkloads })
      gateway.closeRecords()
      state.close()
      log.info('stopped')
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
  }: Pick<AgentContext, 'state' | 'times' | 'log'> & { onOpen: () => void; onFatal: StartOptions['onFatal'] },
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
      onFatal?.()
    },
    log,
    answerMs: times.chainAnswerMs,
    retryMs: times.chainRetryMs,
  })
}
