import type { V1Node } from '@kubernetes/client-node'
import { AppError } from '@rackfair/rules/errors/AppError'
import { parseQuantity } from '../../presets/parseQuantity.ts'
import { createClusterClient } from '../../runtime/kubernetes/clusterClient.ts'
import { readyNodes } from '../../runtime/kubernetes/conformance.ts'
import type { KubernetesSettings } from '../../runtime/kubernetes/kubernetesSettings.ts'
import type { Hardware } from './detectHardware.ts'

/** What all nodes of the cluster that run orders have together, and what its provider says of their disks; see `hardwareOf`. */
export async function clusterHardware(settings: KubernetesSettings, ofThisMachine: Hardware): Promise<Hardware> {
  const nodes = await readyNodes(await createClusterClient(settings), settings.nodeSelector)
  return hardwareOf(nodes, settings.diskGb, ofThisMachine)
}

/**
 * The size of these nodes together. GPUs of a cluster are not offered yet.
 * @throws AppError `bad_request` with the name of a node whose size cannot be read.
 */
export function hardwareOf(nodes: readonly V1Node[], diskGb: number, ofThisMachine: Hardware): Hardware {
  const sum = (name: string) => nodes.reduce((total, node) => total + sizeOf(node, name), 0)
  return {
    ...ofThisMachine,
    cpu: { ...ofThisMachine.cpu, processors: 1, coresPerProcessor: Math.floor(sum('cpu')) },
    memoryGb: Math.floor(sum('memory') / 2 ** 30),
    diskGb,
    diskMostGb: diskGb,
    gpus: [],
  }
}

function sizeOf({ metadata, status }: V1Node, name: string): number {
  const text = status?.allocatable?.[name]
  const size = text === undefined ? undefined : parseQuantity(text)
  if (size !== undefined && size >= 0) return size
  const said = text === undefined ? 'is missing' : `is "${text.slice(0, 60)}"`
  throw new AppError('bad_request', `allocatable ${name} of node ${metadata?.name ?? '?'} ${said}: its size cannot be read`)
}
