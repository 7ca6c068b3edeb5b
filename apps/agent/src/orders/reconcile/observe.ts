import { AppError } from '@rackfair/rules/errors/AppError'
import { type ChainOrder, isLive } from '../../chain/read/chainView.ts'
import type { Command } from '../../db/openAgentDb.ts'
import type { Application } from '../../presets/loadCatalog.ts'
import type { Gpu } from '../../runtime/Gpu.ts'
import type { Progress } from '../createProgress.ts'
import type { ObservedState } from '../ObservedState.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'
import type { ServiceSteps } from './createServiceSteps.ts'
import type { Observed } from './plan.ts'
import type { Run } from './Run.ts'
import { startDeadlineMs } from './startDeadlineMs.ts'

/**
 * Queries the engine for an order's state, and only for what the plan depends on.
 * @throws AppError `gpu_unavailable`
 */
export async function observe(
  { command, order, application }: { command: Command; order: ChainOrder; application: Application },
  { state, runtime, gpus: watch }: Pick<OrderManagerOptions, 'state' | 'runtime' | 'gpus'>,
  known: ObservedState,
  { phaseOf }: Progress,
  { look, lacking }: ServiceSteps,
): Promise<{ run: Run; observed: Observed }> {
  const { orderId, deploymentId, hasRun } = command
  const { own, probe } = application.app
  const kind = own?.job ? 'job' : own ? 'own' : 'preset'
  const workload = await runtime.find(orderId)
  const isRunning = workload?.running === true && workload.deploymentId === deploymentId && hasRun
  const before = known.silence.get(orderId)
  const services = await look({ command, application })
  const observed: Observed = {
    command,
    kind,
    phase: phaseOf(command),
    isLive: isLive(order, known.time),
    workload,
    keepsEarlier: state.earlier(orderId) !== undefined,
    aside: workload?.deploymentId === deploymentId ? undefined : await runtime.aside(orderId),
    hasData: !workload && !hasRun && (await runtime.ordersWithData()).includes(orderId),
    answers: isRunning && kind !== 'job' ? await runtime.probe(orderId, probe) : undefined,
    silence: { probes: (before?.probes ?? 0) + 1, forMs: before ? performance.now() - before.sinceMs : 0 },
    startDeadlineMs: startDeadlineMs(application),
    lacksService: lacking(services).length > 0,
  }
  return { run: { command, order, application, workload, gpus: gpusOf(command.gpus, watch), services }, observed }
}

/**
 * The GPUs with these ids.
 * @throws AppError `gpu_unavailable` if one of them is broken or missing.
 */
function gpusOf(ids: readonly string[], watch: OrderManagerOptions['gpus']): Gpu[] {
  return ids.map((id) => {
    const gpu = watch.gpus.find((one) => one.id === id)
    const problem = watch.problemOf(id) ?? (gpu ? undefined : 'it is no longer in this machine')
    if (!gpu || problem) throw new AppError('gpu_unavailable', `GPU ${gpu?.model ?? id}: ${problem}`, { retryable: true })
    return gpu
  })
}
