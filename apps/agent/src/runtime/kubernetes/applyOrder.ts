import type { V1Namespace } from '@kubernetes/client-node'
import type { Workload } from '../Runtime.ts'
import type { ClusterClient } from './clusterClient.ts'
import { APP } from './names.ts'
import { orderClaim, orderLimitRange, orderNamespace, orderPolicies, orderQuota } from './orderObjects.ts'
import { orderSecret, registrySecret } from './podSpec.ts'

/** Makes everything an order has in a cluster, up to its pod. */
export async function applyOrder(
  cluster: ClusterClient,
  name: string,
  workload: Workload,
  facts: Parameters<typeof orderSecret>[1],
): Promise<void> {
  const { instance, settings } = facts
  const path = `/api/v1/namespaces/${name}`
  // The last one says that the others are there.
  const object = orderNamespace(instance, workload)
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
