import type { V1PersistentVolumeClaim, V1Pod } from '@kubernetes/client-node'
import { AppError } from '@rackfair/rules/errors/AppError'
import { reasonOf } from '../../foundation/reasonOf.ts'
import type { ClusterClient } from './clusterClient.ts'
import { findStorageClass } from './findStorageClass.ts'
import type { KubernetesSettings } from './kubernetesSettings.ts'
import { APP } from './names.ts'
import { pause } from './pause.ts'

/** A disk of a class that binds without a pod is bound within this if at all. */
const BOUND_MS = 2000
/** Until a cluster has counted what a new quota has to count. */
const COUNTED_MS = 30_000

/** Makes pods when their cluster is ready to take them: one that is made too soon is refused, or tried again by the scheduler only a second later. */
export function createPodPlacer(cluster: Pick<ClusterClient, 'get' | 'create'>, settings: KubernetesSettings) {
  let bindsAtOnce: boolean | undefined
  /** A scheduler that finds the disk not yet bound backs off. */
  const untilBound = async (namespacePath: string) => {
    const began = performance.now()
    while (performance.now() - began < BOUND_MS) {
      const claim = await cluster.get<V1PersistentVolumeClaim>(`${namespacePath}/persistentvolumeclaims/${APP}`)
      if (claim?.status?.phase !== 'Pending') return
      bindsAtOnce ??= (await findStorageClass(cluster, settings))?.volumeBindingMode !== 'WaitForFirstConsumer'
      if (!bindsAtOnce) return
      await pause()
    }
  }

  /** @throws AppError `runtime_refused` where the RuntimeClass of the pod is not there. */
  return async (namespacePath: string, pod: V1Pod): Promise<void> => {
    await untilBound(namespacePath)
    const began = performance.now()
    for (;;) {
      try {
        await cluster.create(`${namespacePath}/pods`, pod)
        return
      } catch (error) {
        const said = reasonOf(error)
        if (said.includes('RuntimeClass') && said.includes('not found'))
          throw new AppError('runtime_refused', `this provider's cluster has no RuntimeClass ${settings.sandboxClass}`)
        if (!said.includes('status unknown for quota') || performance.now() - began > COUNTED_MS) throw error
        await pause()
      }
    }
  }
}
