import { AppError, CLEAN_DEPLOY_ID } from '@rackfair/core'
import { type ChainOrder, isLive } from '../chain/chainView.ts'
import type { Gpu } from '../gpu/detectGpus.ts'
import type { Application } from '../presets/loadCatalog.ts'
import type { Allowance, WorkloadState } from '../runtime/Runtime.ts'
import { applicationOf, environmentOf } from './applicationOf.ts'
import { createJobSteps } from './createJobSteps.ts'
import { createOwnSteps } from './createOwnSteps.ts'
import type { Progress } from './createProgress.ts'
import { faultPoint } from './faultPoint.ts'
import { howItEnded } from './howItEnded.ts'
import type { ObservedState } from './ObservedState.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'
import type { Command } from './openAgentDb.ts'

const PROBE_STEP_MS = 50
/** One look may fall on a busy moment; from the second on the application counts as degraded. */
const SILENT_LOOKS_DEGRADED = 2
/** An application that is silent for so many looks in a row, and for as long as its start may take, is started again. */
const SILENT_LOOKS_RESTART = 6
/** Who computes longer than this pays for it, also with an application that never answers. */
const UNANSWERED_MS = 60_000

/** How long an application may take until its first answer. */
const patienceMs = (probe: Application['app']['probe']): number => probe.periodSeconds * probe.failures * 1000

/** The steps that bring one order from how it is to how it should be. Each looks first, and may be repeated. */
export function createOrderSteps(
  options: OrderManagerOptions,
  known: ObservedState,
  progress: Progress,
  control: { stopped: () => boolean; flushOutbox: () => void; scheduleReconcile: (orderId: bigint) => void },
) {
  const { state, chain, runtime, outbox, presets, forwards, notes, log } = options
  const { publish, building, phaseOf } = progress
  const own = createOwnSteps(options, progress)
  const jobs = createJobSteps(options, known, progress, control)

  /** What is stored of this deployment while it is wanted; undefined once its order is over or another deployment took its place. */
  const wanted = (command: Command): Command | undefined => {
    const stored = state.command(command.orderId)
    return stored?.deploymentId === command.deploymentId && stored.endedAt === undefined ? stored : undefined
  }

  const run = async (command: Command, order: ChainOrder): Promise<void> => {
    const { orderId, deploymentId } = command
    const preset = applicationOf(presets, command)
    if (!preset) throw new AppError('preset_unknown', `there is no preset ${command.deployId}`)
    const there = await runtime.find(orderId)
    const gpus = gpusOf(command)
    const isJob = preset.app.own?.job !== undefined
    if (isJob && there && jobs.hasEnded(command, there)) {
      if (!command.hasRun) await begun(command, preset)
      return jobs.end(command, there)
    }
    if (there?.running && there.deploymentId === deploymentId && command.hasRun) {
      if (there.upstream) known.upstreams.set(orderId, there.upstream)
      if (preset.app.own) await own.ports(command, preset)
      if (isJob) jobs.watch(command)
      if (isJob || (await runtime.probe(orderId, preset.app.probe))) return settled(command, preset)
      if (!isSilentTooLong(command, preset) || !isLive(order, known.time)) return
      log.warn('an application does not answer any more; starting it again', { orderId: String(orderId) })
      known.upstreams.delete(orderId)
      await runtime.stop(orderId)
    }
    if (!there?.running) known.upstreams.delete(orderId)
    if (there && there.deploymentId === deploymentId && !there.running) noteExit(command, there)
    if (!isLive(order, known.time)) return
    if (there ? there.deploymentId !== deploymentId : !command.hasRun && (await runtime.ordersWithData()).includes(orderId)) {
      known.upstreams.delete(orderId)
      await runtime.remove(orderId, { wipe: true, keepVolumes: preset.app.own !== undefined })
      faultPoint('removed')
    }
    const env = environmentOf(command)
    const allowance = await allowanceOf(order, gpus)
    const imageId = preset.app.own ? await own.image(command, preset, allowance) : await imageOf(command, preset)
    faultPoint('imaged')
    if (!wanted(command)) return
    if (!command.hasRun) publish(deploymentId, 'Creating')
    await runtime.create({ orderId, deploymentId, slot: command.slot, app: preset.app, env, allowance }, imageId)
    faultPoint('created')
    if (!command.hasRun) publish(deploymentId, 'Starting')
    await runtime.start(orderId)
    faultPoint('started')
    if (preset.app.own) await own.ports(command, preset)
    if (isJob) jobs.watch(command)
    else await untilAnswers(command, preset)
    await begun(command, preset)
  }

  /** It runs: from now on that is what is wanted of it. */
  const begun = async (command: Command, preset: Application): Promise<void> => {
    const upstream = (await runtime.find(command.orderId))?.upstream
    const stored = wanted(command)
    if (!stored) return
    if (upstream) known.upstreams.set(command.orderId, upstream)
    // Told first: a job that is seen to have ended while it starts was ended by its renter.
    if (preset.app.own?.job) publish(command.deploymentId, 'Running')
    if (!stored.hasRun) state.putCommand({ ...stored, hasRun: true })
    faultPoint('running')
    await settled({ ...stored, hasRun: true }, preset)
  }

  const imageOf = async ({ orderId, deploymentId }: Command, { app }: Application): Promise<string> => {
    if (!(await runtime.hasImage(app))) publish(deploymentId, 'Pulling')
    return runtime.ensureImage(app, (line) => {
      log.debug('image', { line })
      building(deploymentId, line)
      notes.add(orderId, line)
    })
  }

  /** @throws AppError `gpu_unavailable` when one that the order has is broken or gone. */
  const gpusOf = ({ gpus }: Command): Gpu[] =>
    gpus.map((id) => {
      const gpu = options.gpus.gpus.find((one) => one.id === id)
      const problem = options.gpus.problemOf(id) ?? (gpu ? undefined : 'it is not in this machine any more')
      if (!gpu || problem) throw new AppError('gpu_unavailable', `GPU ${gpu?.model ?? id}: ${problem}`, { retryable: true })
      return gpu
    })

  const allowanceOf = async (order: ChainOrder, gpus: readonly Gpu[]): Promise<Allowance> => {
    const node = known.nodes.find((one) => one.id === order.nodeId) ?? (await chain.node(order.nodeId))
    return {
      cores: Math.max(0.1, order.nCPU * node.core),
      memoryBytes: Math.max(1, order.nMEM) * 2 ** 30,
      diskBytes: Math.max(1, order.nDISK) * 1e9,
      gpus,
    }
  }

  /** Notes one more look without an answer, and says whether it is time to start the application again. */
  const isSilentTooLong = ({ orderId, deploymentId }: Command, { app }: Application): boolean => {
    const before = known.silence.get(orderId)
    const looks = (before?.looks ?? 0) + 1
    const sinceMs = before?.sinceMs ?? performance.now()
    const isLong = looks >= SILENT_LOOKS_RESTART && performance.now() - sinceMs >= patienceMs(app.probe)
    if (isLong) known.silence.delete(orderId)
    else known.silence.set(orderId, { looks, sinceMs })
    if (looks >= SILENT_LOOKS_DEGRADED)
      publish(deploymentId, 'Degraded', { code: 'start_timeout', message: 'the application does not answer' })
    return isLong
  }

  const noteExit = (command: Command, there: WorkloadState) => {
    // Its renter ended it, to have it start anew.
    if (phaseOf(command) === 'Starting') return
    if (there.endedAt !== undefined) notes.add(command.orderId, `The application ended: ${howItEnded(there)}`, there.endedAt)
    if (there.exitCode === 0 && !there.outOfMemory) return
    if (command.hasRun) publish(command.deploymentId, 'Degraded', { code: 'start_failed', message: howItEnded(there) })
  }

  const untilAnswers = async (command: Command, preset: Application): Promise<void> => {
    const { probe } = preset.app
    const began = performance.now()
    const before = known.unansweredMs.get(command.orderId) ?? 0
    while (!(await runtime.probe(command.orderId, probe))) {
      const unanswered = before + performance.now() - began
      known.unansweredMs.set(command.orderId, unanswered)
      if (unanswered >= (options.unansweredMs ?? UNANSWERED_MS)) tellDeployed(command.orderId, preset)
      if (control.stopped()) throw new AppError('agent_busy', 'the agent is stopping', { retryable: true })
      if (!wanted(command)) return
      const there = await runtime.find(command.orderId)
      if (!there?.running) {
        const output = await runtime.logs(command.orderId, 5)
        const how = there ? howItEnded(there) : 'its container is gone'
        throw new AppError('start_failed', `${how}: ${output.trim().slice(-300)}`, { retryable: true })
      }
      if (performance.now() > began + patienceMs(probe))
        throw new AppError('start_timeout', 'the application did not answer in time')
      await new Promise((resolve) => setTimeout(resolve, PROBE_STEP_MS))
    }
  }

  /** The buyer's time starts, if it does not run yet, and the chain says what runs: in one transaction, so that nothing runs unmarked. */
  const tellDeployed = (orderId: bigint, { wire }: Application): void => {
    // As it is now: a transaction may have come in since this step began.
    const order = known.orders.get(orderId)
    if (!order) return
    const node = known.nodes.find((one) => one.id === order.nodeId)
    const marked = node !== undefined && (node.orderId !== orderId || node.avail)
    if (order.activateTime > 0 && marked && order.app === wire.name) return
    outbox.enqueue({ kind: 'activateWithApp', orderId, market: order.market, app: wire.name })
    faultPoint('activating')
    control.flushOutbox()
  }

  const settled = async (command: Command, preset: Application): Promise<void> => {
    known.failures.delete(command.orderId)
    known.silence.delete(command.orderId)
    known.unansweredMs.delete(command.orderId)
    publish(command.deploymentId, 'Running')
    tellDeployed(command.orderId, preset)
  }

  const forgetLog = async (orderId: bigint): Promise<void> => {
    await runtime.removeOutput(orderId)
    notes.remove(orderId)
  }

  const clean = async (command: Command, before: ChainOrder): Promise<void> => {
    known.upstreams.delete(command.orderId)
    forwards.close(command.orderId)
    if (phaseOf(command) !== 'Cleaned') publish(command.deploymentId, 'Cleaning')
    faultPoint('removing')
    await runtime.remove(command.orderId, { wipe: true })
    await forgetLog(command.orderId)
    faultPoint('removed')
    publish(command.deploymentId, 'Cleaned')
    known.failures.delete(command.orderId)
    // As it is now: a transaction may have come in since this step began.
    const order = known.orders.get(command.orderId) ?? before
    const node = known.nodes.find((one) => one.id === order.nodeId)
    if (!node || (node.orderId === order.id && node.avail))
      outbox.enqueue({ kind: 'setAvail', orderId: order.id, nodeId: order.nodeId, avail: false })
    if (order.app !== '') outbox.enqueue({ kind: 'setApp', orderId: order.id, market: order.market, app: '' })
    control.flushOutbox()
  }

  /** Its renter stopped it: the data stays, and nothing starts it but its renter. */
  const rest = async ({ orderId, deploymentId }: Command): Promise<void> => {
    known.upstreams.delete(orderId)
    forwards.close(orderId)
    await runtime.stop(orderId)
    known.failures.delete(orderId)
    known.silence.delete(orderId)
    publish(deploymentId, 'Stopped')
  }

  /** The order is over: the application stops at once, its data goes when the chain has not taken the end back for a while. */
  const end = async (command: Command, endedAt: number): Promise<void> => {
    known.upstreams.delete(command.orderId)
    forwards.close(command.orderId)
    await runtime.stop(command.orderId)
    if (!known.head || known.head.timestamp < endedAt + options.wipeAfterSeconds) return
    faultPoint('removing')
    await runtime.remove(command.orderId, { wipe: true })
    await forgetLog(command.orderId)
    faultPoint('removed')
    publish(command.deploymentId, 'Closed')
    state.dropCommand(command.orderId)
    known.failures.delete(command.orderId)
    known.silence.delete(command.orderId)
    known.unansweredMs.delete(command.orderId)
    known.orders.delete(command.orderId)
  }

  return {
    /** One order, from how it is to how it should be. */
    async converge(orderId: bigint): Promise<void> {
      const command = state.command(orderId)
      const order = known.orders.get(orderId)
      if (!command) return
      if (command.endedAt !== undefined) return end(command, command.endedAt)
      if (!order) return
      if (command.deployId === CLEAN_DEPLOY_ID) return clean(command, order)
      // What failed to start does not run on unseen; the next request starts anew.
      if (phaseOf(command) === 'Failed') {
        forwards.close(orderId)
        return runtime.stop(orderId)
      }
      if (command.stopped) return rest(command)
      const wait = known.failures.get(orderId)
      if (wait && performance.now() < wait.notBeforeMs) return
      const exit = jobs.exitOf(command)
      if (!exit) return run(command, order)
      const job = applicationOf(presets, command)
      if (job) await jobs.keepFiles(command, job, exit, isLive(order, known.time) ? await allowanceOf(order, []) : undefined)
    },
  }
}
