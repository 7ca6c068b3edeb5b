import type { V1StorageClass, V1StorageClassList } from '@kubernetes/client-node'
import type { ClusterClient } from './clusterClient.ts'
import type { KubernetesSettings } from './kubernetesSettings.ts'

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class'

/** The class of the orders' disks: the one that the provider names, or else the cluster's default. */
export async function findStorageClass(
  cluster: Pick<ClusterClient, 'get'>,
  { storageClass }: Pick<KubernetesSettings, 'storageClass'>,
): Promise<V1StorageClass | undefined> {
  const classes = (await cluster.get<V1StorageClassList>('/apis/storage.k8s.io/v1/storageclasses'))?.items ?? []
  return classes.find(({ metadata }) =>
    storageClass === undefined ? metadata?.annotations?.[DEFAULT_CLASS] === 'true' : metadata?.name === storageClass,
  )
}
