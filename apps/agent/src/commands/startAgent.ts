import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { visitUrl } from '@rackfair/core'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { awaitChain } from '../chain/awaitChain.ts'
import { createOutbox } from '../chain/outbox.ts'
import { watchOrders } from '../chain/watchOrders.ts'
import { type AgentConfig, hasOwnOrigins } from '../config/agentConfig.ts'
import { AGENT_TIMES, type AgentTimes } from '../config/agentTimes.ts'
import { loadOperatorKey } from '../config/operatorKey.ts'
import { takesOf } from '../config/takesOf.ts'
import { machineHardware } from '../detect/machineHardware.ts'
import { machineSize } from '../detect/soldBeyond.ts'
import { createAgentProof } from '../gateway/agentProof.ts'
import { createGateway } from '../gateway/createGateway.ts'
import { createSignatureCheck } from '../gateway/createSignatureCheck.ts'
import { createTerminal } from '../gateway/createTerminal.ts'
import { createTickets } from '../gateway/createTickets.ts'
import { createOwnerSessions } from '../gateway/ownerSessions.ts'
import { createGpuWatch } from '../gpu/createGpuWatch.ts'
import { tryGpus } from '../gpu/tryGpus.ts'
import { createHardwareTests } from '../hardware/createHardwareTests.ts'
import { openHardwareRecords } from '../hardware/openHardwareRecords.ts'
import { startMeasuring } from '../hardware/startMeasuring.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics/createMetrics.ts'
import { serveMetrics } from '../metrics/serveMetrics.ts'
import { createOrderNotes } from '../orderLog/orderNotes.ts'
import { createOrderManager } from '../orders/createOrderManager.ts'
import { type Command, openAgentDb } from '../orders/openAgentDb.ts'
import { createReadyApps } from '../presets/createReadyApps.ts'
import { loadCatalog, PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { createRelayClient } from '../relay/createRelayClient.ts'
import { createPortForwards } from '../runtime/createPortForwards.ts'
import { createAttestations } from '../uptime/createAttestations.ts'
import { createPromises } from '../uptime/createPromises.ts'
import { createKnownMonitors } from '../uptime/knownMonitors.ts'
import { openEvidence } from '../uptime/openEvidence.ts'
import { watchFindings } from '../uptime/watchFindings.ts'
import { createUsageMeter } from '../usage/createUsageMeter.ts'
import { createUsageRecorder } from '../usage/createUsageRecorder.ts'
import { createNodeRecords } from '../usage/nodeRecords.ts'
import { createUsageRing } from '../usage/usageRing.ts'
import { createTokenBuckets } from '../verify/tokenBuckets.ts'
import { AGENT_VERSION } from '../version.ts'
import { createWorkspaceKeys } from '../workspace/createWorkspaceKeys.ts'
import { announceKeys, loadEncryptionKeys } from '../workspace/encryptionKeys.ts'
import { startWorkspaces } from '../workspace/startWorkspaces.ts'
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
  /** Called once when this agent cannot go on (another chain, a second agent with its key) and should be stopped. Tenants run on. */
  onFatal?: () => void
}

const TERMINAL_IDLE_MS = 30 * 60_000

export type RunningAgent = Awaited<ReturnType<typeof startAgent>>

/** Everything an agent is, running. `stop` leaves the tenants running unless the configuration says otherwise. */
export async function startAgent({ config, data, ...options }: StartOptions) {
  const log = createLog(options.logger)
  const times = options.times ?? AGENT_TIMES
  const account = loadOperatorKey(config.operatorKeyFile)
  const presetsFolder = config.presetsFolder ?? PRESETS_FOLDER
  const presets = loadCatalog(presetsFolder)
  const state = openAgentDb(join(data, 'agent.sqlite'))
  let stopped = false
  let waiting: (() => void) | undefined
  let again = false
  const wake = () => {
    again = true
    waiting?.()
  }
  const chain = awaitChain({
    ...config,
    knownGenesis: state.fact('genesis') as Hex | undefined,
    onOpen(genesis) {
      state.putFact('genesis', genesis)
      wake()
    },
    onOtherChain(error) {
      log.error(error.message, { code: error.code, ...error.facts })
      options.onFatal?.()
    },
    log,
    answerMs: times.chainAnswerMs,
    retryMs: times.chainRetryMs,
  })
  const ofThisMachine = await machineHardware(config, data)
  const { runtime, images, hardware } = await openRuntime({ config, data, presets, presetsFolder, ofThisMachine, state, log })
  const gpus = createGpuWatch({ gpus: hardware.gpus, log, onChange: wake })
  const encryptionKeys = await loadEncryptionKeys(join(data, 'encryption-keys.json'))
  const clock = options.clock ?? Date.now
  const now = () => Math.floor(clock() / 1000)

  const usageRing = createUsageRing(join(data, 'usage'))
  const notes = createOrderNotes(join(data, 'notes'), { now: clock, log })

  const outbox = createOutbox({
    state,
    chain,
    provider: config.provider,
    account,
    log,
    times,
    onDone: (call) => manager.refresh(call.orderId, 'nodeId' in call ? call.nodeId : undefined),
  })
  const forwards = createPortForwards({
    range: config.gateway.appPorts,
    host: config.gateway.host,
    addressOf: (orderId) => manager.visit(orderId)?.upstream?.address,
    log,
  })
  const monitors = createKnownMonitors(chain, clock)
  const manager = createOrderManager({
    state,
    chain,
    runtime,
    forwards,
    outbox,
    presets,
    verify: {
      chain,
      provider: config.provider,
      state,
      presets,
      ownOrigins: hasOwnOrigins(config.gateway),
      ownImages: config.ownImages,
      appPorts: Boolean(config.gateway.appPorts),
      whyNoGvisor: runtime.whyNoGvisor,
      keys: encryptionKeys,
      perOrder: createTokenBuckets({ burst: 5, refillMs: 3000 }),
      overall: createTokenBuckets({ burst: 50, refillMs: 100 }),
      now,
    },
    visitUrl: (orderId, user) => {
      const link = visitUrl({ ip: config.gateway.publicHost, port: config.gateway.port }, orderId, user)
      return config.gateway.tls ? link.replace(/^http:/, 'https:') : link
    },
    wipeAfterSeconds: config.wipeAfterSeconds,
    promise: createPromises({ account, chainId: config.chainId, monitors }),
    ...{ machine: hardware, oversell: config.oversell, gpus },
    notes: {
      add: notes.add,
      remove(orderId) {
        notes.remove(orderId)
        usageRing.remove(orderId)
      },
    },
    onStatus: (deployment) => relay.status(deployment),
    log,
    times,
  })
  const isSigned = createSignatureCheck(chain)
  const workspaceKeys = createWorkspaceKeys(state, now)
  const size = machineSize(hardware)
  const readyApps = createReadyApps([...presets.values()], images?.isReady ?? runtime.hasImage)
  const relay = createRelayClient({
    platformUrl: config.platformUrl,
    chainId: config.chainId,
    provider: config.provider,
    account,
    version: AGENT_VERSION,
    machine: async () => ({
      ...size,
      takes: takesOf(config, runtime, await readyApps()),
      ...(config.sampleHardware ? { sample: true as const } : {}),
    }),
    async onDeploy(request) {
      const accepted = await manager.accept(request)
      // Its tenant needs what is being measured.
      hardwareTests.stop()
      return accepted
    },
    announcedKeys: () => announceKeys(encryptionKeys, { ...config, account, now: now() }),
    visitors: {
      open: (visitor, caller) => renters.server.open(visitor, caller),
      receive: (visitor, bytes) => renters.server.receive(visitor, bytes),
      closed: (visitor) => renters.server.closed(visitor),
      disconnected: () => renters.server.disconnected(),
    },
    liveDeployments: manager.liveDeployments,
    onDuplicate: () => options.onFatal?.(),
    log,
  })
  const gpusByIds = (ids: readonly string[]) => ids.flatMap((id) => gpus.gpus.find((one) => one.id === id) ?? [])
  const gpusOf = (orderId: bigint) => gpusByIds(state.command(orderId)?.gpus ?? [])
  const meter = createUsageMeter({ usage: runtime.usage, gpusOf, readingOf: gpus.readingOf, now: clock })
  const isRunning = ({ hasRun, endedAt }: Command) => hasRun && endedAt === undefined
  const usageOrders = () => state.commands().flatMap((one) => (isRunning(one) ? [one.orderId] : []))
  const nodeRecords = createNodeRecords({
    ring: createUsageRing(join(data, 'node-usage')),
    nodes: () => manager.nodes().map(({ node, gpus: ids }) => ({ node, gpus: gpusByIds(ids) })),
    ...{ readingOf: gpus.readingOf, now },
  })
  const recorder = createUsageRecorder({
    ...{ meter, ring: usageRing, orders: usageOrders, log },
    onRecorded: nodeRecords.record,
  })
  const renters = await startWorkspaces({
    ...{ config, data, account, state, chain, runtime, notes, encryptionKeys, isSigned, relay, times, now, log },
    keys: workspaceKeys,
    usage: { meter, ring: usageRing, gpuCount: (orderId) => gpusOf(orderId).length },
    foldersOf: (orderId) => manager.visit(orderId)?.preset.app.volumes.map(({ path }) => path) ?? [],
    terminalIdleMs: options.terminalIdleMs ?? TERMINAL_IDLE_MS,
    deploymentsOf: state.deploymentsOf,
    power: manager.power,
    machines: { version: AGENT_VERSION, nodes: manager.nodes, records: nodeRecords, watch: gpus, now },
  })

  const metrics = createMetrics({
    ...{ version: AGENT_VERSION, provider: config.provider, data, isConnected: relay.isConnected },
    block: async () => (await chain.head()).number,
    gasWei: async () => chain.client.getBalance({ address: account.address }),
    orders: () => manager.liveDeployments(),
    transactions: outbox.open,
    running: usageOrders,
    measure: meter.measure,
    ...{ gpus: gpus.gpus, readingOf: gpus.readingOf, problemOf: gpus.problemOf },
  })
  const metricsServer = config.metrics && (await serveMetrics(config.metrics, metrics, log))
  const secret = state.fact('gatewaySecret') ?? randomBytes(32).toString('base64url')
  state.putFact('gatewaySecret', secret)
  const evidence = openEvidence(join(data, 'evidence.sqlite'))
  const records = openHardwareRecords(join(data, 'hardware.sqlite'))
  const hardwareTests = createHardwareTests({
    ...{ account, chainId: config.chainId, provider: config.provider, monitors, node: manager.node, records, log, now },
    measure: (job) => startMeasuring(job),
    // Of memory that is only pretended none is free, so that no test ever verifies it.
    freeBytes: () => (config.sampleHardware ? 0 : process.availableMemory()),
    fileOf: (nodeId) => join(data, `hardware-${nodeId}.rows`),
  })
  const gateway = await createGateway({
    config: config.gateway,
    chainId: config.chainId,
    market: config.platformUrl,
    secret,
    visit: manager.visit,
    orderOfSlot: manager.orderOfSlot,
    sessions: createOwnerSessions({ secret, isSigned, now }),
    tickets: createTickets({
      chainId: config.chainId,
      provider: config.provider,
      isSigned,
      isRevoked: workspaceKeys.isRevoked,
      sites: relay.sites,
      now,
    }),
    terminal: createTerminal(runtime, { idleMs: options.terminalIdleMs ?? TERMINAL_IDLE_MS, log }),
    attestations: createAttestations({
      account,
      chainId: config.chainId,
      provider: config.provider,
      monitors,
      node: manager.node,
      evidence,
      now,
    }),
    hardware: hardwareTests,
    onAnswer: metrics.answered,
    proveAgent: createAgentProof({ account, chainId: config.chainId, provider: config.provider }),
    log,
  })

  let looping: Promise<void> = Promise.resolve()
  const loop = async () => {
    while (!stopped) {
      again = false
      await manager.reconcile()
      await new Promise<void>((resolve) => {
        if (again) return resolve()
        waiting = resolve
        setTimeout(resolve, times.reconcileMs).unref()
      })
    }
  }
  looping = loop()
  const watch = setInterval(() => {
    runtime.check().catch((error: unknown) => log.error('isolation cannot be restored', { reason: String(error) }))
  }, times.firewallMs)
  const stopDisputes = watchFindings({ chain, monitors, provider: config.provider, evidence, outbox, log, now })
  const watchedOrders = watchOrders(chain, () => new Set(state.commands().map((one) => one.orderId)), wake, times.ordersMs)
  // No buyer is told that a GPU is for sale that does not start.
  const tried = tryGpus({ runtime, presets, usedSlots: () => state.commands().map((one) => one.slot), watch: gpus, log })
    .then(() => (hardware.gpus.length > 0 && !stopped ? manager.reconcile() : undefined))
    .catch((error: unknown) => log.error('the GPUs cannot be tried', { reason: String(error) }))
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
    async stop() {
      stopped = true
      chain.stop()
      clearInterval(watch)
      watchedOrders.stop()
      wake()
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
      await looping
      // Not before: an order on its way to its wanted state would open its ports again.
      forwards.closeAll()
      await runtime.close({ stopWorkloads: config.stopWorkloadsOnExit })
      hardwareTests.stop()
      records.close()
      evidence.close()
      state.close()
      log.info('stopped')
    },
  }
}
