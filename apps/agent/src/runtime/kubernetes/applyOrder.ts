import type { V1Namespace } from '@kubernetes/client-node'
import type { Workload } from '../Runtime.ts'
import type { ClusterClient } from './clusterClient.ts'
import { APP, NOTE, partName } from './names.ts'
import { orderClaim, orderLimitRange, orderNamespace, orderPolicies, orderQuota } from './orderObjects.ts'
import { orderSecret, registrySecret } from './podSpec.ts'
import { partsOf } from './podState.ts'

/** Makes everything an order has in a cluster, up to its pod; of several services, what one of them has. */
export async function applyOrder(
  cluster: ClusterClient,
  name: string,
  workload: Workload,
  facts: Parameters<typeof orderSecret>[1],
  before: V1Namespace | undefined,
): Promise<void> {
  const { instance, settings } = facts
  const path = `/api/v1/namespaces/${name}`
  // The last one says that the others are there.
  const { service } = workload.app
  const isNext = before?.metadata?.annotations?.[NOTE.deployment] === workload.deploymentId
  const parts = service ? [...new Set([...(isNext ? partsOf(before) : []), partName(service.key)])] : []
  const object = orderNamespace(instance, workload, parts)
  await cluster.apply('/api/v1/namespaces', { ...object, metadata: { ...object.metadata, annotations: {} } } as V1Namespace)
  // Before its quota, which refuses everything until the cluster has counted what there is; and it is bound meanwhile.
  if (workload.app.volumes.length > 0 && !(await cluster.get(`${path}/persistentvolumeclaims/${APP}`)))
    await cluster.create(`${path}/persistentvolumeclaims`, orderClaim(workload, settings))
  const account = registrySecret(workload)
  const policies = `/apis/networking.k8s.io/v1/namespaces/${name}/networkpolicies`
  await Promise.all([
    cluster.apply(`${path}/resourcequotas`, orderQuota(workload)),
    cluster.apply(`${path}/limitranges`, orderLimitRange(workload)),
    ...orderPolicies(settings).map((policy) => cluster.apply(policies, policy)),
    cluster.apply(`${path}/secrets`, orderSecret(workload, facts)),
    account && cluster.apply(`${path}/secrets`, account),
  ])
  await cluster.apply('/api/v1/namespaces', object)
}
