import { AppError, CLEAN_DEPLOY_ID, PHASES } from '@rackfair/core'
import type { PowerAction } from '@rackfair/core/wire'
import { applicationOf } from './applicationOf.ts'
import type { Progress } from './createProgress.ts'
import type { ObservedState } from './ObservedState.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

/**
 * Stops, starts or starts anew the application of an order, as its owner asks. What is wanted is written down first, so that it holds
 * through a crash; the steps that follow bring it about. Called with the order's lock.
 * @throws AppError `app_not_running` where there is none, `agent_busy` while one is on its way.
 */
export async function powerOrder(
  orderId: bigint,
  action: PowerAction,
  { state, runtime, presets }: OrderManagerOptions,
  known: ObservedState,
  progress: Progress,
): Promise<void> {
  const command = state.command(orderId)
  const phase = command && progress.phaseOf(command)
  if (!command || command.endedAt !== undefined || command.deployId === CLEAN_DEPLOY_ID || !phase || PHASES[phase].ended)
    throw new AppError('app_not_running', 'nothing is deployed on this order')
  // One that was started anew is on its way too, and may be stopped all the same.
  if (PHASES[phase].busy && !command.hasRun)
    throw new AppError('agent_busy', 'a deployment of this order is on its way', { retryable: true })
  known.failures.delete(orderId)
  known.silence.delete(orderId)
  state.putCommand({ ...command, stopped: action === 'stop' })
  if (action === 'stop') return
  if (action === 'start' && !command.stopped) return
  // A job that has ended goes on being over where it is only its files that were put away.
  if (action !== 'start') progress.detail(command.deploymentId, { exit: undefined })
  progress.publish(command.deploymentId, 'Starting')
  if (action === 'start') return
  known.upstreams.delete(orderId)
  if (action === 'restart') return runtime.stop(orderId)
  const isOwn = applicationOf(presets, command)?.app.own !== undefined
  // What an own application wrote beside its volumes goes with its root; a preset writes nowhere else.
  await runtime.remove(orderId, isOwn ? { wipe: true, keepVolumes: true } : { wipe: false })
}
