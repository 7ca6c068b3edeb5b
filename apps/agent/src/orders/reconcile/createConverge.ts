import { AppError } from '@rackfair/rules/errors/AppError'
import { isLive } from '../../chain/read/chainView.ts'
import { applicationOf } from '../applicationOf.ts'
import type { MachineHealth } from '../createMachineHealth.ts'
import type { Progress } from '../createProgress.ts'
import type { ObservedState } from '../ObservedState.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'
import { createAllowanceOf } from './createAllowanceOf.ts'
import { createJobSteps } from './createJobSteps.ts'
import { createRestSteps } from './createRestSteps.ts'
import { createRunSteps } from './createRunSteps.ts'
import { createServiceSteps } from './createServiceSteps.ts'
import { observe } from './observe.ts'
import { planRest, planRun, wantedOf } from './plan.ts'
import type { Control, Step } from './Run.ts'

/**
 * Brings one order from its observed to its wanted state: observes, plans, applies. Level-triggered, so every call starts from the observed
 * state and may follow a crash of the previous one.
 */
export function createConverge(
  options: OrderManagerOptions,
  known: ObservedState,
  progress: Progress,
  health: MachineHealth,
  control: Control,
) {
  const { state, presets, runtime, wipeAfterSeconds } = options
  const allowanceOf = createAllowanceOf(options, known)
  const jobs = createJobSteps(options, progress, control)
  const restSteps = createRestSteps(options, known, progress, health, jobs, allowanceOf, control)
  const services = createServiceSteps(options, progress, control)
  const runSteps = createRunSteps(options, known, progress, health, jobs, allowanceOf, services, control)

  /** A deployment that failed leaves the order to what ran before it. */
  const restored = async (orderId: bigint) => {
    const command = state.command(orderId)
    if (!command || command.endedAt !== undefined || progress.phaseOf(command) !== 'Failed') return undefined
    if (state.earlier(orderId)) await runtime.dropNext(orderId)
    const earlier = state.restoreEarlier(orderId)
    if (earlier) known.failures.delete(orderId)
    return earlier
  }

  return async (orderId: bigint): Promise<void> => {
    const command = (await restored(orderId)) ?? state.command(orderId)
    if (!command) return
    const order = known.orders.get(orderId)
    const failure = known.failures.get(orderId)
    const wanted = wantedOf({
      command,
      phase: progress.phaseOf(command),
      hasExit: jobs.exitOf(command) !== undefined,
      isOrderKnown: order !== undefined,
      isPaused: failure !== undefined && performance.now() < failure.notBeforeMs,
    })
    if (wanted !== 'running') {
      const { endedAt } = command
      const isWipeDue = endedAt !== undefined && known.head !== undefined && known.head.timestamp >= endedAt + wipeAfterSeconds
      const plan = planRest(wanted, { isLive: order !== undefined && isLive(order, known.time), isWipeDue })
      return apply(plan, restSteps(command))
    }
    const application = applicationOf(presets, command)
    if (!order || !application) throw new AppError('preset_unknown', `there is no preset ${command.deployId}`)
    const { run, observed } = await observe({ command, order, application }, options, known, progress, services)
    await apply(planRun(observed), runSteps(run))
  }
}

async function apply<Name extends string>(plan: readonly Name[], steps: Record<Name, Step>): Promise<void> {
  for (const name of plan) if ((await steps[name]()) === 'superseded') return
}
