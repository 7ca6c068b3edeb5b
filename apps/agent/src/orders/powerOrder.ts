import type { PowerAction } from '@rackfair/protocol/workspaceRequests'
import { PHASES } from '@rackfair/rules/deployment/phase'
import { AppError } from '@rackfair/rules/errors/AppError'
import { CLEAN_DEPLOY_ID } from '@rackfair/rules/presets'
import { applicationOf } from './applicationOf.ts'
import type { Progress } from './createProgress.ts'
import type { ObservedState } from './ObservedState.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

/**
 * Stops, starts or restarts an order's application at its owner's request. The wanted state is stored first, so that it survives a crash;
 * the following steps bring it about. Called with the order's lock held.
 * @throws AppError `app_not_running` if there is none, `agent_busy` while one is being deployed.
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
  // A restarted application is also in progress, but may still be stopped.
  if (PHASES[phase].busy && !command.hasRun)
    throw new AppError('agent_busy', 'a deployment of this order is on its way', { retryable: true })
  known.failures.delete(orderId)
  known.silence.delete(orderId)
  state.putCommand({ ...command, stopped: action === 'stop' })
  if (action === 'stop') return
  if (action === 'start' && !command.stopped) return
  // An ended job stays ended if only its file container was stopped.
  if (action !== 'start') progress.detail(command.deploymentId, { exit: undefined })
  progress.publish(command.deploymentId, 'Starting')
  if (action === 'start') return
  known.upstreams.delete(orderId)
  if (action === 'restart') return runtime.stop(orderId)
  const isOwn = applicationOf(presets, command)?.app.own !== undefined
  // What an own application wrote outside its volumes goes with its root; a preset writes nowhere else.
  await runtime.remove(orderId, isOwn ? { wipe: true, keepVolumes: true } : { wipe: false })
}

/**
 * Restarts one of several services of an order; the others go on.
 * @throws AppError `service_unknown`; `app_not_running` if nothing is deployed or it is stopped, `agent_busy` while it is being deployed.
 */
export async function restartService(
  orderId: bigint,
  name: string,
  { state, runtime, presets }: OrderManagerOptions,
  progress: Progress,
): Promise<void> {
  const command = state.command(orderId)
  const service = command && applicationOf(presets, command)?.services?.find((one) => one.name === name)
  if (!command || command.endedAt !== undefined || command.stopped || PHASES[progress.phaseOf(command)].ended)
    throw new AppError('app_not_running', 'nothing runs on this order')
  if (!service) throw new AppError('service_unknown', 'the application of this order has no service of that name')
  if (!command.hasRun) throw new AppError('agent_busy', 'a deployment of this order is on its way', { retryable: true })
  const { key } = service.app.service ?? {}
  await runtime.stopService(orderId, key)
  await runtime.start(orderId, key)
}
