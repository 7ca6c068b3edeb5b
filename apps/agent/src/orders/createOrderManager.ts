import { randomUUID } from 'node:crypto'
import { AppError, CLEAN_DEPLOY_ID } from '@rackfair/core'
import type { DeploymentPhase, DeploymentWire } from '@rackfair/core/wire'
import { keccak256, stringToBytes } from 'viem'
import { type ChainNode, type ChainOrder, type ChainView, type Head, standingOf } from '../chain/chainView.ts'
import type { Outbox } from '../chain/outbox.ts'
import type { Preset } from '../presets/loadCatalog.ts'
import { SLOTS } from '../runtime/engine/subnets.ts'
import type { Allowance, Runtime, WorkloadState } from '../runtime/Runtime.ts'
import { type VerifyContext, verifyDeploy } from '../verify/verifyDeploy.ts'
import { createOrderLocks } from './createOrderLocks.ts'
import { faultPoint } from './faultPoint.ts'
import type { Command, State } from './openState.ts'

export interface OrderManagerOptions {
  state: State
  chain: ChainView
  runtime: Runtime
  outbox: Outbox
  presets: ReadonlyMap<number, Preset>
  verify: VerifyContext
  visitUrl: (orderId: bigint, user: string) => string
  wipeAfterSeconds: number
  gpusOfMachine: number
  onStatus: (deployment: DeploymentWire) => void
  log: (message: string, facts?: Record<string, unknown>) => void
}

/** What the gateway has to know of an order. */
export interface Visit {
  orderId: bigint
  user: string
  preset: Preset
  phase: DeploymentPhase
  code: string | undefined
  address: string | undefined
  slot: number
}

const BUSY: readonly DeploymentPhase[] = ['Accepted', 'Pulling', 'Creating', 'Starting']
const ENDED: readonly DeploymentPhase[] = ['Cleaned', 'Closed']
const PROBE_STEP_MS = 50
/** A workload that keeps ending is started again after 1, 2, 4 … 60 s. */
const MAX_BACKOFF_MS = 60_000
const MAX_START_FAILURES = 5

export type OrderManager = ReturnType<typeof createOrderManager>

/**
 * Brings what runs in line with the chain and with what users asked for. Level-triggered: every step looks at how things are and
 * may be repeated, so a crash anywhere, a killed container or a silent chain only delays it. Nothing of an order is deleted unless
 * the chain itself says that the order is over.
 */
export function createOrderManager(options: OrderManagerOptions) {
  const { state, chain, runtime, outbox, presets, log } = options
  const locks = createOrderLocks()
  const orders = new Map<bigint, ChainOrder>()
  const addresses = new Map<bigint, string>()
  const failures = new Map<bigint, { count: number; notBefore: number }>()
  let nodes: ChainNode[] = []
  let head: Head | undefined
  let stopped = false

  const publish = (deploymentId: string, phase: DeploymentPhase, problem?: { code: string; message: string }) => {
    const before = state.deployment(deploymentId)
    if (!before) return
    const last = before.steps.at(-1)
    if (last?.phase === phase && last.code === problem?.code) return
    const step = { phase, at: Date.now(), ...(problem ? { code: problem.code, message: problem.message.slice(0, 1000) } : {}) }
    const deployment = { ...before, phase, steps: [...before.steps, step].slice(-100) }
    state.putDeployment(deployment)
    options.onStatus(deployment)
    log('deployment', {
      orderId: before.orderId,
      deploymentId,
      phase,
      ...(problem ? { code: problem.code, message: problem.message } : {}),
    })
  }

  const allocate = (order: ChainOrder): Pick<Command, 'slot' | 'gpus'> => {
    const existing = state.command(order.id)
    const others = state.commands().filter((one) => one.orderId !== order.id)
    const usedSlots = new Set(others.map((one) => one.slot))
    const slot = existing?.slot ?? Array.from({ length: SLOTS }, (_, index) => index).find((index) => !usedSlots.has(index))
    if (slot === undefined) throw new AppError('agent_busy', 'this machine runs as many orders as it has networks for')
    const usedGpus = new Set(others.flatMap((one) => one.gpus))
    const free = Array.from({ length: options.gpusOfMachine }, (_, index) => index).filter((gpu) => !usedGpus.has(gpu))
    if (free.length < order.nGPU)
      throw new AppError('preset_does_not_fit', `the order has ${order.nGPU} GPU, this machine ${free.length} free`)
    return { slot, gpus: existing?.gpus.length === order.nGPU ? existing.gpus : free.slice(0, order.nGPU) }
  }

  /** Verifies a request and takes it on. The answer comes before the application starts. */
  const accept = async (raw: unknown): Promise<DeploymentWire> => {
    const { text, textHash, order, preset, env } = await verifyDeploy(raw, options.verify)
    // From here to the stored command nothing waits, so no second request can come in between.
    if (state.wasAccepted(textHash)) throw new AppError('text_replayed', 'this text was used before')
    if (text.time <= state.lastTime(order.id)) throw new AppError('text_out_of_order', 'a later request was accepted before')
    const current = state.command(order.id)
    const phase = current && state.deployment(current.deploymentId)?.phase
    if (preset && phase && BUSY.includes(phase))
      throw new AppError('agent_busy', 'a deployment of this order is on its way; clean it or wait', { retryable: true })
    const first: DeploymentPhase = preset ? 'Accepted' : 'Cleaning'
    const deployment: DeploymentWire = {
      id: randomUUID(),
      orderId: String(order.id),
      deployId: text.deployId,
      user: text.wallet,
      provider: text.provider,
      phase: first,
      steps: [{ phase: first, at: Date.now() }],
      requestedAt: Date.now(),
      visitUrl: preset ? options.visitUrl(order.id, text.wallet) : null,
    }
    state.accept(
      textHash,
      {
        orderId: order.id,
        deployId: text.deployId,
        deploymentId: deployment.id,
        user: text.wallet,
        time: text.time,
        env,
        ...allocate(order),
        hasRun: false,
        endedAt: undefined,
      },
      deployment,
    )
    if (current && phase && !ENDED.includes(phase)) publish(current.deploymentId, 'Closed')
    orders.set(order.id, order)
    failures.delete(order.id)
    faultPoint('accepted')
    kick(order.id)
    return deployment
  }

  const isCurrent = (command: Command) => state.command(command.orderId)?.deploymentId === command.deploymentId

  const kick = (orderId: bigint) => {
    if (stopped) return
    locks.latest(orderId, () => converge(orderId)).catch((error: unknown) => onFailure(orderId, error))
  }

  const onFailure = (orderId: bigint, error: unknown) => {
    const problem = error instanceof AppError ? error : new AppError('start_failed', String(error), { cause: error })
    const command = state.command(orderId)
    const seen = failures.get(orderId)?.count ?? 0
    const count = seen + 1
    failures.set(orderId, { count, notBefore: Date.now() + Math.min(MAX_BACKOFF_MS, 1000 * 2 ** seen) })
    log('order not in its wanted state', { orderId: String(orderId), code: problem.code, reason: problem.message, count })
    if (!command || command.endedAt !== undefined || command.deployId === CLEAN_DEPLOY_ID) return
    const final = !problem.retryable || count >= MAX_START_FAILURES
    publish(command.deploymentId, command.hasRun ? 'Degraded' : final ? 'Failed' : currentPhase(command), {
      code: problem.code,
      message: problem.message,
    })
  }

  const currentPhase = (command: Command): DeploymentPhase => state.deployment(command.deploymentId)?.phase ?? 'Accepted'

  /** One order, from how it is to how it should be. */
  const converge = async (orderId: bigint): Promise<void> => {
    const command = state.command(orderId)
    const order = orders.get(orderId)
    if (!command) return
    if (command.endedAt !== undefined) return end(command)
    if (!order) return
    if (command.deployId === CLEAN_DEPLOY_ID) return clean(command, order)
    const wait = failures.get(orderId)
    if (wait && Date.now() < wait.notBefore) return
    if (currentPhase(command) === 'Failed' && (wait?.count ?? MAX_START_FAILURES) >= MAX_START_FAILURES) return
    await run(command, order)
  }

  const run = async (command: Command, order: ChainOrder): Promise<void> => {
    const { orderId, deploymentId } = command
    const preset = presets.get(command.deployId)
    if (!preset) throw new AppError('preset_unknown', `there is no preset ${command.deployId}`)
    const there = (await runtime.list()).find((one) => one.orderId === orderId)
    if (there?.running && there.deploymentId === deploymentId && command.hasRun) {
      if (there.address) addresses.set(orderId, there.address)
      if (await runtime.probe(orderId, preset.app.probe)) return settled(command, order, preset)
      throw new AppError('start_timeout', 'the application does not answer', { retryable: true })
    }
    if (there && there.deploymentId === deploymentId && !there.running) noteExit(command, there)
    if (there && there.deploymentId !== deploymentId) {
      addresses.delete(orderId)
      await runtime.remove(orderId, { wipe: true })
      faultPoint('removed')
    }
    const allowance = await allowanceOf(order, command)
    if (!(await runtime.hasImage(preset.app))) publish(deploymentId, 'Pulling')
    const imageId = await runtime.ensureImage(preset.app, (line) => log('image', { line }))
    faultPoint('imaged')
    if (!command.hasRun) publish(deploymentId, 'Creating')
    await runtime.create({ orderId, deploymentId, slot: command.slot, app: preset.app, env: command.env, allowance }, imageId)
    faultPoint('created')
    if (!command.hasRun) publish(deploymentId, 'Starting')
    await runtime.start(orderId)
    faultPoint('started')
    await untilAnswers(command, preset)
    const address = (await runtime.list()).find((one) => one.orderId === orderId)?.address
    if (address) addresses.set(orderId, address)
    if (!isCurrent(command)) return
    if (!command.hasRun) state.putCommand({ ...command, hasRun: true })
    faultPoint('running')
    await settled({ ...command, hasRun: true }, order, preset)
  }

  const allowanceOf = async (order: ChainOrder, command: Command): Promise<Allowance> => {
    const node = nodes.find((one) => one.id === order.nodeId) ?? (await chain.node(order.nodeId))
    return {
      cores: Math.max(0.1, order.nCPU * node.core),
      memoryBytes: Math.max(1, order.nMEM) * 2 ** 30,
      diskBytes: Math.max(1, order.nDISK) * 1e9,
      gpus: command.gpus,
    }
  }

  const noteExit = (command: Command, there: WorkloadState) => {
    if (there.exitCode === 0 && !there.outOfMemory) return
    const message = there.outOfMemory
      ? 'it was ended for using more memory than the node has'
      : `it ended with code ${there.exitCode}`
    if (command.hasRun) publish(command.deploymentId, 'Degraded', { code: 'start_failed', message })
  }

  const untilAnswers = async (command: Command, preset: Preset): Promise<void> => {
    const { probe } = preset.app
    const deadline = performance.now() + probe.periodSeconds * probe.failures * 1000
    while (!(await runtime.probe(command.orderId, probe))) {
      if (stopped) throw new AppError('agent_busy', 'the agent is stopping', { retryable: true })
      if (!isCurrent(command)) return
      const there = (await runtime.list()).find((one) => one.orderId === command.orderId)
      if (!there?.running) {
        const output = await runtime.logs(command.orderId, 5)
        throw new AppError('start_failed', `it ended with code ${there?.exitCode ?? '?'}: ${output.trim().slice(-300)}`, {
          retryable: true,
        })
      }
      if (performance.now() > deadline) throw new AppError('start_timeout', 'the application did not answer in time')
      await new Promise((resolve) => setTimeout(resolve, PROBE_STEP_MS))
    }
  }

  /** It runs: the buyer's time may start, and the chain may say that it runs. */
  const settled = async (command: Command, order: ChainOrder, preset: Preset): Promise<void> => {
    failures.delete(command.orderId)
    publish(command.deploymentId, 'Running')
    const { market } = order
    if (order.activateTime === 0) outbox.want({ kind: 'activate', orderId: order.id, market })
    const node = nodes.find((one) => one.id === order.nodeId)
    if (!node || (node.orderId === order.id && !node.avail))
      outbox.want({ kind: 'setAvail', orderId: order.id, nodeId: order.nodeId, avail: true })
    if (order.app !== preset.wire.name) outbox.want({ kind: 'setApp', orderId: order.id, market, app: preset.wire.name })
    faultPoint('activating')
    flushOutbox()
  }

  const clean = async (command: Command, order: ChainOrder): Promise<void> => {
    addresses.delete(command.orderId)
    if (currentPhase(command) !== 'Cleaned') publish(command.deploymentId, 'Cleaning')
    faultPoint('removing')
    await runtime.remove(command.orderId, { wipe: true })
    faultPoint('removed')
    publish(command.deploymentId, 'Cleaned')
    failures.delete(command.orderId)
    const node = nodes.find((one) => one.id === order.nodeId)
    if (!node || (node.orderId === order.id && node.avail))
      outbox.want({ kind: 'setAvail', orderId: order.id, nodeId: order.nodeId, avail: false })
    if (order.app !== '') outbox.want({ kind: 'setApp', orderId: order.id, market: order.market, app: '' })
    flushOutbox()
  }

  /** The order is over: the application stops at once, its data goes when the chain has not taken it back for a while. */
  const end = async (command: Command): Promise<void> => {
    addresses.delete(command.orderId)
    await runtime.stop(command.orderId)
    if (Date.now() < (command.endedAt ?? 0) + options.wipeAfterSeconds * 1000) return
    faultPoint('removing')
    await runtime.remove(command.orderId, { wipe: true })
    faultPoint('removed')
    publish(command.deploymentId, 'Closed')
    state.dropCommand(command.orderId)
    failures.delete(command.orderId)
    orders.delete(command.orderId)
  }

  const flushOutbox = () => {
    outbox
      .flush()
      .catch((error: unknown) => log('transactions wait', { reason: error instanceof Error ? error.message : String(error) }))
  }

  /** Reads the chain and looks at every order again. While the chain is silent what runs goes on running. */
  const reconcile = async (): Promise<void> => {
    await runtime.check()
    const commands = state.commands()
    try {
      head = await chain.head()
      nodes = await chain.nodes()
      const ids = new Set([...commands.map((one) => one.orderId), ...nodes.map((node) => node.orderId).filter((id) => id !== 0n)])
      for (const id of ids) {
        const order = await chain.order(id)
        if (order) orders.set(id, order)
      }
    } catch (error) {
      log('the chain does not answer; orders go on as they are', {
        reason: error instanceof Error ? error.message : String(error),
      })
      for (const command of commands) if (orders.has(command.orderId)) kick(command.orderId)
      return
    }
    for (const command of state.commands()) {
      const order = orders.get(command.orderId)
      if (!order) continue
      const standing = standingOf(order, head.timestamp)
      const live = standing === 'active' || standing === 'startable'
      if (!live && command.endedAt === undefined) {
        log('order ended', { orderId: String(order.id), standing })
        state.putCommand({ ...command, endedAt: Date.now() })
      } else if (live && command.endedAt !== undefined) {
        log('order lives again: the chain took its end back', { orderId: String(order.id) })
        state.putCommand({ ...command, endedAt: undefined })
      }
      kick(command.orderId)
    }
    for (const node of nodes) {
      const order = node.orderId === 0n ? undefined : orders.get(node.orderId)
      if (!order) continue
      const standing = standingOf(order, head.timestamp)
      if (standing === 'startMissed' || standing === 'expired')
        outbox.want({ kind: 'release', orderId: order.id, market: order.market })
      else if (node.avail && !state.command(order.id))
        outbox.want({ kind: 'setAvail', orderId: order.id, nodeId: node.id, avail: false })
    }
    await removeOrphans()
    state.forgetTextsBefore(options.verify.now() - 86_400)
    flushOutbox()
  }

  /** Containers and data that no accepted request accounts for; only of orders that the chain says are over or not ours. */
  const removeOrphans = async (): Promise<void> => {
    const known = new Set(state.commands().map((one) => one.orderId))
    const found = new Set([...(await runtime.list()).map((one) => one.orderId), ...(await runtime.ordersWithData())])
    for (const orderId of found) {
      if (known.has(orderId) || !head) continue
      const order = await chain.order(orderId)
      const standing = order && standingOf(order, head.timestamp)
      if (standing === 'active' || standing === 'startable') continue
      log('removing what an earlier order left behind', { orderId: String(orderId) })
      await locks.exclusive(orderId, () => runtime.remove(orderId, { wipe: true }))
    }
  }

  /** A transaction of ours is in: look at what it changed before anything asks for it again. */
  const refresh = async (orderId: bigint, nodeId: bigint | undefined): Promise<void> => {
    const order = orderId === 0n ? undefined : await chain.order(orderId)
    if (order) orders.set(orderId, order)
    const changed = nodeId ?? order?.nodeId
    if (changed === undefined) return
    const node = await chain.node(changed)
    nodes = [...nodes.filter((one) => one.id !== changed), ...(node.exist ? [node] : [])]
  }

  return {
    accept,
    /** What became of a text that was accepted before: its sender may have missed the answer. */
    deploymentOfText: (text: string) => state.deploymentOfText(keccak256(stringToBytes(text))),
    reconcile,
    refresh,
    kick,
    /** What the gateway shows for an order; undefined where this machine has nothing of it. */
    visit(orderId: bigint): Visit | undefined {
      const command = state.command(orderId)
      const preset = command && presets.get(command.deployId)
      const deployment = command && state.deployment(command.deploymentId)
      if (!command || !preset || !deployment || command.endedAt !== undefined) return undefined
      const { phase } = deployment
      const code = deployment.steps.at(-1)?.code
      return { orderId, user: command.user, preset, phase, code, address: addresses.get(orderId), slot: command.slot }
    },
    orderOf: (orderId: bigint) => orders.get(orderId),
    headOf: () => head,
    nodes: () => nodes,
    liveDeployments: () =>
      state.commands().flatMap((command) => {
        const deployment = state.deployment(command.deploymentId)
        return deployment ? [deployment] : []
      }),
    async stop() {
      stopped = true
      outbox.stop()
      await locks.idle()
    },
  }
}
