import { deploymentIdOf } from '@rackfair/protocol/deploymentIdOf'
import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { DeploymentPhase } from '@rackfair/rules/deployment/phase'
import { PHASES } from '@rackfair/rules/deployment/phase'
import { AppError } from '@rackfair/rules/errors/AppError'
import { CLEAN_DEPLOY_ID } from '@rackfair/rules/presets'
import type { ChainNode, ChainOrder } from '../chain/read/chainView.ts'
import type { Command, Fate } from '../db/openAgentDb.ts'
import { faultPoint } from '../foundation/faultPoint.ts'
import { type Share, soldBeyond } from '../machine/detect/soldBeyond.ts'
import type { Application } from '../presets/loadCatalog.ts'
import { SLOTS } from '../runtime/engine/subnets.ts'
import type { Progress } from './createProgress.ts'
import type { ObservedState } from './ObservedState.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'
import { findRepeated, onceOf, repeatedBy } from './verify/findRepeated.ts'
import { verifyDeploy } from './verify/verifyDeploy.ts'

export interface Accepted {
  deployment: DeploymentWire
  /** False for a request that was accepted before: nothing is done again. */
  isNew: boolean
}

/**
 * Verifies and accepts a request that came through a platform. Returns before the application starts. A renter may send the same request
 * through several platforms: it is carried out once, and each is told what became of it. One with a name that was accepted before is
 * answered as then.
 */
export async function acceptRequest(
  raw: unknown,
  platform: string,
  options: OrderManagerOptions,
  known: ObservedState,
  progress: Progress,
): Promise<Accepted> {
  const { state } = options
  const context = { ...options.verify, platform }
  const before = findRepeated(raw, context)
  if (before) return { deployment: await before, isNew: false }
  const { text, textHash, order, node, preset, env, app } = await verifyDeploy(raw, context)
  // No await from here to the stored command, so no second request can interleave.
  const meanwhile = repeatedBy(text, textHash, state)
  if (meanwhile) return { deployment: meanwhile, isNew: false }
  if (state.wasAccepted(textHash)) throw new AppError('text_replayed', 'this text was used before')
  if (text.time <= state.lastTime(order.id)) throw new AppError('text_out_of_order', 'a later request was accepted before')
  const current = state.command(order.id)
  const phase = current && state.deployment(current.deploymentId)?.phase
  if (preset && current?.deployId !== CLEAN_DEPLOY_ID && phase && PHASES[phase].busy)
    throw new AppError('agent_busy', 'a deployment of this order is on its way; clean it or wait', { retryable: true })
  if (preset) requireRoom(order, node, options, known)
  const first: DeploymentPhase = preset ? 'Accepted' : 'Cleaning'
  const localName = preset && hasPage(preset) ? options.localName?.(order.id) : undefined
  const { job } = preset?.app.own ?? {}
  const details = { ...(job ? { job } : {}), ...(localName ? { localName } : {}) }
  const deployment: DeploymentWire = {
    id: deploymentIdOf(textHash),
    orderId: String(order.id),
    deployId: text.deployId,
    user: text.wallet,
    provider: text.provider,
    phase: first,
    steps: [{ phase: first, at: Date.now() }],
    requestedAt: Date.now(),
    visitUrl: preset && hasPage(preset) ? options.visitUrl(order.id, text.wallet) : null,
    ...(Object.keys(details).length > 0 ? { details } : {}),
  }
  const command: Command = {
    orderId: order.id,
    deployId: text.deployId,
    deploymentId: deployment.id,
    user: text.wallet,
    time: text.time,
    env,
    app,
    ...allocate(order, node, options, known),
    hasRun: false,
    endedAt: undefined,
  }
  const earlier = earlierOf(command, current, state.earlier(order.id))
  state.accept({ hash: textHash, once: onceOf(text) }, command, deployment, { order, node }, earlier)
  if (earlier === 'drop' && current && phase && !PHASES[phase].ended) progress.publish(current.deploymentId, 'Closed')
  known.orders.set(order.id, order)
  known.failures.delete(order.id)
  known.silence.delete(order.id)
  if (preset) options.notes.add(order.id, `Accepted: ${preset.wire.title}`)
  faultPoint('accepted')
  return { deployment, isNew: true }
}

/**
 * What has run goes on until the next deployment of the same owner has its image; where that one failed before, what ran before it.
 */
function earlierOf(next: Command, current: Command | undefined, before: Command | undefined): Fate {
  if (next.deployId === CLEAN_DEPLOY_ID || current?.endedAt !== undefined) return 'drop'
  if (current?.hasRun) return current.user === next.user ? 'keep' : 'drop'
  return before?.user === next.user ? 'leave' : 'drop'
}

/** Whether there is something to visit. */
const hasPage = ({ app }: Application): boolean => app.port !== undefined || app.terminal !== undefined

/**
 * Refuses orders that do not fit on the machine together with the others, so that nobody gets less than they paid for. Disk and GPUs are
 * checked separately.
 * @throws AppError `node_oversold`
 */
function requireRoom(
  order: ChainOrder,
  node: ChainNode,
  { state, machine, oversell }: OrderManagerOptions,
  known: ObservedState,
): void {
  const shareOf = (one: ChainOrder, its: ChainNode): Share => ({ ...one, core: its.core, gpuModel: '', nGPU: 0, nDISK: 0 })
  const others = othersGoingOn(order, state, known).flatMap(({ orderId, deployId }) => {
    const one = known.orders.get(orderId)
    const its = known.nodes.find(({ id }) => id === one?.nodeId)
    return one && its && deployId !== CLEAN_DEPLOY_ID ? [shareOf(one, its)] : []
  })
  const beyond = soldBeyond([...others, shareOf(order, node)], machine, { oversell, overcommitDisk: true })
  if (beyond.length > 0)
    throw new AppError('node_oversold', `this machine does not have all that was sold of it: ${beyond.join(', ')}`)
}

/**
 * What runs for orders of other nodes. A node is sold to one order at a time: any earlier order of it has ended or moved, whether or not that
 * was observed yet.
 */
function othersGoingOn(order: ChainOrder, state: OrderManagerOptions['state'], known: ObservedState): Command[] {
  const newest = new Map<bigint, Command>()
  for (const command of state.commands()) {
    const nodeId = known.orders.get(command.orderId)?.nodeId
    if (nodeId === undefined || nodeId === order.nodeId || command.endedAt !== undefined) continue
    if (command.orderId > (newest.get(nodeId)?.orderId ?? 0n)) newest.set(nodeId, command)
  }
  return [...newest.values()]
}

/** Allocates a network slot and whole GPUs of the node's model that no other order uses. */
function allocate(
  order: ChainOrder,
  node: ChainNode,
  { state, gpus: machine }: OrderManagerOptions,
  known: ObservedState,
): Pick<Command, 'slot' | 'gpus'> {
  const existing = state.command(order.id)
  const others = state.commands().filter((one) => one.orderId !== order.id)
  const usedSlots = new Set(others.map((one) => one.slot))
  // A slot is a port at the gateway, and so an origin: take the least recently used one.
  const next = Number(state.fact('nextSlot') ?? 0)
  const inTurn = Array.from({ length: SLOTS }, (_, index) => (next + index) % SLOTS)
  const slot = existing?.slot ?? inTurn.find((one) => !usedSlots.has(one))
  if (slot === undefined)
    throw new AppError('agent_busy', 'this machine runs as many orders as it has networks for', { retryable: true })
  // A provider may have listed its GPUs under a name other than the driver's: then any will do.
  const named = machine.gpus.some((one) => one.model === node.gpuModel)
  const fitting = machine.gpus.filter((one) => !named || one.model === node.gpuModel)
  const well = fitting.filter((one) => machine.problemOf(one.id) === undefined).map((one) => one.id)
  const gpusBeside = (commands: readonly Command[]): string[] => {
    const used = new Set(commands.flatMap((one) => [...one.gpus, ...(state.earlier(one.orderId)?.gpus ?? [])]))
    return well.filter((gpu) => !used.has(gpu))
  }
  const free = gpusBeside(others)
  if (free.length < order.nGPU) {
    if (gpusBeside(othersGoingOn(order, state, known)).length >= order.nGPU)
      throw new AppError('agent_busy', 'an order that ended still holds the GPUs; they are free once it is wiped', {
        retryable: true,
      })
    const broken = fitting.length - well.length
    if (broken > 0) throw new AppError('gpu_unavailable', `${broken} GPU of this machine cannot be used`, { retryable: true })
    throw new AppError('preset_does_not_fit', `the order has ${order.nGPU} GPU, this machine has ${free.length} free`)
  }
  if (!existing) state.putFact('nextSlot', String((slot + 1) % SLOTS))
  const keeps = existing?.gpus.length === order.nGPU && existing.gpus.every((gpu) => free.includes(gpu))
  return { slot, gpus: keeps ? existing.gpus : free.slice(0, order.nGPU) }
}
