import assert from 'node:assert/strict'
import { CLEAN_DEPLOY_ID } from '@rackfair/rules/presets'
import { isLive } from '../../chain/read/chainView.ts'
import type { Command } from '../../db/openAgentDb.ts'
import { faultPoint } from '../../foundation/faultPoint.ts'
import { applicationOf } from '../applicationOf.ts'
import type { MachineHealth } from '../createMachineHealth.ts'
import type { Progress } from '../createProgress.ts'
import type { ObservedState } from '../ObservedState.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'
import type { AllowanceOf } from './createAllowanceOf.ts'
import type { JobSteps } from './createJobSteps.ts'
import type { RestStep } from './plan.ts'
import type { Control, Step } from './Run.ts'

/** The steps towards an order without a running application. */
export function createRestSteps(
  options: OrderManagerOptions,
  known: ObservedState,
  { publish, phaseOf }: Progress,
  health: MachineHealth,
  jobs: JobSteps,
  allowanceOf: AllowanceOf,
  control: Control,
) {
  const { state, runtime, outbox, presets, forwards, notes } = options

  /** Clears the deployed mark on chain. */
  const unmark = (orderId: bigint): void => {
    // Read again: a transaction may have been mined since this reconciliation began.
    const order = known.orders.get(orderId)
    if (!order) return
    const node = known.nodes.find((one) => one.id === order.nodeId)
    if (!node || (node.orderId === order.id && node.avail))
      outbox.enqueue({ kind: 'setAvail', orderId: order.id, nodeId: order.nodeId, avail: false })
    if (outbox.told(orderId) !== '') outbox.enqueue({ kind: 'setApp', orderId: order.id, market: order.market, app: '' })
    control.flushOutbox()
  }

  return (command: Command): Record<RestStep, Step> => {
    const { orderId, deploymentId } = command
    const exit = jobs.exitOf(command)
    return {
      close: () => {
        known.upstreams.delete(orderId)
        known.services.delete(orderId)
        known.images.delete(orderId)
        forwards.close(orderId)
      },
      stop: () => runtime.stop(orderId),
      tellStopped: () => {
        known.failures.delete(orderId)
        health.note(orderId, undefined)
        known.silence.delete(orderId)
        publish(deploymentId, 'Stopped')
      },
      tellCleaning: () => {
        if (phaseOf(command) !== 'Cleaned') publish(deploymentId, 'Cleaning')
      },
      wipe: async () => {
        assert(command.endedAt !== undefined || command.deployId === CLEAN_DEPLOY_ID, 'only what ended or is cleaned is deleted')
        faultPoint('removing')
        await runtime.remove(orderId, { wipe: true })
        await runtime.removeOutput(orderId)
        notes.remove(orderId)
        faultPoint('removed')
      },
      tellCleaned: () => {
        publish(deploymentId, 'Cleaned')
        known.failures.delete(orderId)
        health.note(orderId, undefined)
        unmark(orderId)
      },
      tellClosed: () => {
        publish(deploymentId, 'Closed')
        state.dropCommand(orderId)
        known.failures.delete(orderId)
        health.note(orderId, undefined)
        known.silence.delete(orderId)
        known.unansweredMs.delete(orderId)
        known.orders.delete(orderId)
      },
      tellFinished: () => {
        if (exit) jobs.tellFinished(command, exit)
      },
      keepFiles: async () => {
        const [job, order] = [applicationOf(presets, command), known.orders.get(orderId)]
        if (job && order && isLive(order, known.time)) await jobs.keepFiles(command, job, await allowanceOf(order, []))
      },
    }
  }
}
