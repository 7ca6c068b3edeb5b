import { faultPoint } from '../../foundation/faultPoint.ts'
import type { Application } from '../../presets/loadCatalog.ts'
import type { WorkloadState } from '../../runtime/Runtime.ts'
import { applicationOf } from '../applicationOf.ts'
import type { Progress } from '../createProgress.ts'
import type { ObservedState } from '../ObservedState.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'
import type { createOwnSteps } from './createOwnSteps.ts'
import type { RunStep } from './plan.ts'
import type { Run, Step } from './Run.ts'

/** The steps by which an application makes room for the next one of its order, and takes its place again if that fails. */
export function createUpdateSteps(
  { state, presets, runtime, notes }: OrderManagerOptions,
  known: ObservedState,
  { publish }: Progress,
  own: ReturnType<typeof createOwnSteps>,
  noteUpstream: (workload: WorkloadState | undefined, application: Application | undefined) => Promise<void>,
) {
  return ({
    command: { orderId },
    application: { app },
    workload,
  }: Run): Record<RunStep & ('keepEarlier' | 'removeEarlier' | 'setEarlierAside' | 'dropEarlier' | 'takeBack'), Step> => {
    const forget = () => {
      const earlier = state.earlier(orderId)
      state.dropEarlier(orderId)
      if (earlier) publish(earlier.deploymentId, 'Closed')
    }
    const removeEarlier = async () => {
      // First of all: from here on there is nothing to go back to.
      forget()
      known.upstreams.delete(orderId)
      await runtime.remove(orderId, { wipe: true, keepVolumes: app.own !== undefined })
      faultPoint('removed')
    }
    return {
      keepEarlier: async () => {
        const earlier = state.earlier(orderId)
        // Else it is one that was to replace it, and does not work.
        if (workload?.deploymentId !== earlier?.deploymentId) return
        const before = earlier && applicationOf(presets, earlier)
        await noteUpstream(workload, before)
        if (earlier && before?.app.own && !before.app.own.job) await own.ports(earlier, before)
      },
      removeEarlier,
      setEarlierAside: async () => {
        known.upstreams.delete(orderId)
        if (!(await runtime.setAside(orderId, { keepVolumes: app.own !== undefined }))) return removeEarlier()
        faultPoint('removed')
      },
      dropEarlier: async () => {
        await runtime.dropAside(orderId)
        forget()
      },
      takeBack: async () => {
        known.upstreams.delete(orderId)
        await runtime.takeBack(orderId)
        notes.add(orderId, 'What ran before is started again')
      },
    }
  }
}
