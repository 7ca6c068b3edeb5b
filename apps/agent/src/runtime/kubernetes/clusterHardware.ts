import type { KubernetesSettings } from '../../config/kubernetesSettings.ts'
import type { Hardware } from '../../detect/detectHardware.ts'
import { parseBytes, parseCores } from '../../presets/parseQuantity.ts'
import { createClusterClient } from './clusterClient.ts'
import { readyNodes } from './conformance.ts'

/**
 * What all nodes of the cluster that run orders have together, and what its provider says of their disks. GPUs of a cluster are not
 * offered yet.
 */
export async function clusterHardware(settings: KubernetesSettings, ofThisMachine: Hardware): Promise<Hardware> {
  const nodes = await readyNodes(await createClusterClient(settings), settings.nodeSelector)
  const sum = (name: string, parse: (text: string) => number | undefined) =>
    nodes.reduce((total, { status }) => total + (parse(status?.allocatable?.[name] ?? '') ?? 0), 0)
  return {
    ...ofThisMachine,
    cpu: { ...ofThisMachine.cpu, processors: 1, coresPerProcessor: Math.floor(sum('cpu', parseCores)) },
    memoryGb: Math.floor(sum('memory', parseBytes) / 2 ** 30),
    diskGb: settings.diskGb,
    diskMostGb: settings.diskGb,
    gpus: [],
  }
}
