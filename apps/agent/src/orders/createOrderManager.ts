import type { PowerAction } from '@rackfair/protocol/workspaceRequests'
import { AppError } from '@rackfair/rules/errors/AppError'
import { CLEAN_DEPLOY_ID } from '@rackfair/rules/presets'
import { reasonOf } from '../foundation/reasonOf.ts'
import { AGENT_FAILED } from '../foundation/toRenter.ts'
import type { RunSpec } from '../runtime/RunSpec.ts'
import { type Accepted, acceptRequest } from './acceptRequest.ts'
import { applicationOf } from './applicationOf.ts'
import { createMachineHealth, type MachineHealth } from './createMachineHealth.ts'
import { createOrderLocks } from './createOrderLocks.ts'
import { createProgress } from './createProgress.ts'
import { createVisits } from './createVisits.ts'
import { followChain } from './followChain.ts'
import { gpusOfNodes, nodesLackingGpus } from './gpuNodes.ts'
import { isFinalFailure } from './isFinalFailure.ts'
import { isMachineFault } from './machineFault.ts'
import { type ObservedState, recallOrders } from './ObservedState.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'
import { powerOrder, restartService } from './powerOrder.ts'
import { createConverge } from './reconcile/createConverge.ts'

/**
 * Reconciles what runs with the chain and with users' requests. Level-triggered: every step starts from the observed state and is
 * idempotent, so a crash, a killed container or an unreachable chain only delays it. No data of an order is deleted unless the chain itself
 * says that the order is over.
 */
export function createOrderManager(options: OrderManagerOptions) {
  const { state, outbox, log } = options
  const known = recallOrders(state)
  const visits = createVisits(options, known)
  const locks = createOrderLocks()
  const progress = createProgress(options)
  const health = createMachineHealth(options)
  let stopped = false

  const flushOutbox = () => sendTransactions(options)
  const converge = createConverge(options, known, progress, health, {
    stopped: () => stopped,
    flushOutbox,
    scheduleReconcile: (orderId) => scheduleReconcile(orderId),
  })

  const scheduleReconcile = (orderId: bigint) => {
    if (stopped) return
    void locks
      .latest(orderId, () => converge(orderId).catch((error: unknown) => onFailure(orderId, error)))
      // On a full disk not even the failure can be stored.
      .catch((error: unknown) => log.error('an order cannot be followed', { orderId: String(orderId), reason: reasonOf(error) }))
  }
  const onFailure = createFailureHandler(options, known, progress, health, scheduleReconcile)

  const follow = followChain(options, known, locks, scheduleReconcile)

  return {
    async accept(raw: unknown, platform: string): Promise<Accepted> {
      const accepted = await acceptRequest(raw, platform, options, known, progress)
      if (accepted.isNew) scheduleReconcile(BigInt(accepted.deployment.orderId))
      return accepted
    },
    /** Stops, starts or restarts an order's application. Resolves once that is under way, or it has stopped. @throws AppError */
    async power(orderId: bigint, action: PowerAction, service?: string): Promise<void> {
      const restart = () => restartService(orderId, service ?? '', options, progress)
      await locks.exclusive(
        orderId,
        service === undefined ? () => powerOrder(orderId, action, options, known, progress) : restart,
      )
      if (action === 'stop') await locks.latest(orderId, () => converge(orderId))
      else scheduleReconcile(orderId)
    },
    /** Reads the chain and reconciles every order. */
    async reconcile(): Promise<void> {
      // Each step proceeds without the others: an ended order is stopped even while the isolation cannot be restored.
      const ready = await isReady(options, health)
      await follow(ready).catch((error: unknown) => log.error('reconcile failed', { reason: reasonOf(error) }))
      flushOutbox()
    },
    /**
     * Called when one of our transactions is mined: observes its effect before anything requests it again. If the wanted state has changed
     * meanwhile, for example by a clean, the new transaction is requested at once.
     */
    async refresh(orderId: bigint, nodeId: bigint | undefined): Promise<void> {
      await refreshOne(orderId, nodeId, options, known)
      scheduleReconcile(orderId)
    },
    node: createNodeState(options, known, visits, health),
    /** The provider's nodes as last read from the chain, lowest id first, with the ids of their GPUs. */
    nodes() {
      const gpus = gpusOfNodes(known.nodes, options)
      return known.nodes.toSorted((a, b) => Number(a.id - b.id)).map((node) => ({ node, gpus: gpus.get(node.id) ?? [] }))
    },
    visit: visits.visit,
    ...createServices(known, visits),
    orderOfSlot: visits.orderOfSlot,
    liveDeployments: () =>
      state.commands().flatMap((command) => {
        const deployment = state.deployment(command.deploymentId)
        return deployment ? [deployment] : []
      }),
    async stop() {
      stopped = true
      outbox.stop()
      await locks.idle()
      progress.stop()
    },
  }
}

function sendTransactions({ outbox, log }: OrderManagerOptions): void {
  outbox
    .flush()
    .catch((error: unknown) => log.warn('transactions wait', { reason: error instanceof Error ? error.message : String(error) }))
}

/** Whether an application could run here now. */
async function isReady({ runtime, log }: OrderManagerOptions, health: MachineHealth): Promise<boolean> {
  try {
    await runtime.check()
    health.checked(undefined)
    return true
  } catch (error) {
    log.error('isolation or engine cannot be restored', { reason: reasonOf(error) })
    health.checked(error)
    return false
  }
}

/** Notes that an order is not in its wanted state, and tells its renter. */
function createFailureHandler(
  options: OrderManagerOptions,
  known: ObservedState,
  progress: ReturnType<typeof createProgress>,
  health: MachineHealth,
  scheduleReconcile: (orderId: bigint) => void,
) {
  const { state, log, times } = options
  return (orderId: bigint, error: unknown): void => {
    const problem = error instanceof AppError ? error : new AppError('start_failed', AGENT_FAILED, { cause: error })
    const command = state.command(orderId)
    const now = performance.now()
    const { count: seen = 0, sinceMs = now } = known.failures.get(orderId) ?? {}
    const count = seen + 1
    const waitMs = Math.min(times.startRetryMaxMs, times.startRetryMs * 2 ** seen)
    known.failures.set(orderId, { count, sinceMs, notBeforeMs: now + waitMs })
    log.warn('order not in its wanted state', { orderId: String(orderId), code: problem.code, reason: reasonOf(problem), count })
    if (!command || command.endedAt !== undefined || command.deployId === CLEAN_DEPLOY_ID) return
    const kind = applicationOf(options.presets, command)?.app.own ? 'own' : 'preset'
    // What runs goes on while its engine is away.
    const isFault = isMachineFault(problem, kind) && !(problem.code === 'engine_unavailable' && known.upstreams.has(orderId))
    health.note(orderId, isFault ? command.deploymentId : undefined)
    // A job's recorded exit stays, even if its files cannot be shown.
    if (state.deployment(command.deploymentId)?.details?.exit) return
    const isUpdate = !command.hasRun && state.earlier(orderId) !== undefined
    const final = isFinalFailure(problem, { count, forMs: now - sinceMs, isUpdate }, times)
    const goesOn = final && isUpdate
    // What is left of a failed one and cannot be ended is tried again with all orders: at once, it would keep the agent from all else.
    const endsNow = final && !command.hasRun && progress.phaseOf(command) !== 'Failed'
    if (goesOn) progress.detail(command.deploymentId, { earlierRuns: true })
    progress.publish(command.deploymentId, command.hasRun ? 'Degraded' : final ? 'Failed' : progress.phaseOf(command), {
      code: problem.code,
      message: goesOn ? `${problem.message}; the application that ran before goes on` : problem.message,
    })
    if (endsNow) scheduleReconcile(orderId)
  }
}

/** Reads one order and its node, or one node, apart from all others. */
async function refreshOne(
  orderId: bigint,
  nodeId: bigint | undefined,
  { state, chain }: OrderManagerOptions,
  known: ObservedState,
): Promise<void> {
  const order = orderId === 0n ? undefined : await chain.order(orderId)
  if (order) {
    known.orders.set(orderId, order)
    known.refreshed.orders.add(orderId)
  }
  const changed = nodeId ?? order?.nodeId
  if (changed === undefined) return
  const node = await chain.node(changed)
  known.nodes = [...known.nodes.filter((one) => one.id !== changed), ...(node.exist ? [node] : [])]
  known.refreshed.nodes.add(changed)
  if (order?.nodeId === node.id) state.saveSnapshot({ order, node })
}

/** The services of orders by their names. */
function createServices(known: ObservedState, { visit }: ReturnType<typeof createVisits>) {
  return {
    /** Where the application of an order is now, or one of its services; undefined while it does not run. */
    addressOf: (orderId: bigint, service?: string): string | undefined =>
      service === undefined ? visit(orderId)?.upstream?.address : known.services.get(orderId)?.get(service),
    /**
     * A service of an order; the main one without a name.
     * @throws AppError `service_unknown`
     */
    serviceOf(orderId: bigint, name?: string): RunSpec | undefined {
      const application = visit(orderId)?.preset
      if (name === undefined) return application?.app
      const service = application?.services?.find((one) => one.name === name)
      if (!service) throw new AppError('service_unknown', 'the application of this order has no service of that name')
      return service.app
    },
  }
}

/** A node's state as monitors query it: its current order, its size, what runs there, and whether the machine is well. */
function createNodeState(
  options: OrderManagerOptions,
  known: ObservedState,
  visits: ReturnType<typeof createVisits>,
  health: MachineHealth,
) {
  const { state, chain } = options
  return (nodeId: bigint) => {
    const node = known.nodes.find(({ id }) => id === nodeId)
    if (!node) return undefined
    const market = known.orders.get(node.orderId)?.market ?? chain.addresses.market
    const { orderId, nMEM, nCPU, core } = node
    const command = state.command(orderId)
    const runs = visits.visit(orderId)?.upstream && known.images.get(orderId)
    const promise = runs && state.deployment(runs.deploymentId)?.details?.promise
    const isWell = health.isWell(orderId, command?.deploymentId, known.upstreams.has(orderId))
    return {
      ...{ orderId, market, inUse: command !== undefined, nMEM, nCPU, core },
      healthy: isWell && !nodesLackingGpus(known.nodes, options).has(nodeId),
      runs: runs && { ...runs, promise },
    }
  }
}

export type OrderManager = ReturnType<typeof createOrderManager>
