import type { V1Pod, V1Secret } from '@kubernetes/client-node'
import { formatImage, parseImage } from '@rackfair/app-spec/imageReference'
import type { ClusterClient } from './clusterClient.ts'
import { GATES, partName } from './names.ts'
import { gateOf } from './podSpec.ts'
import { containerOf } from './podState.ts'

const KNOCKED = 'rackfair.io/knocked'
const OTHER_TAG = 'again'

interface OrderPod {
  pod(orderId: bigint): Promise<V1Pod | undefined>
  namespacePath(orderId: bigint): string
  podPath(orderId: bigint): string
  untilGone(what: string, read: () => Promise<unknown>): Promise<void>
}

/** What of several services in one pod begins, and begins anew. */
export function createGates(
  cluster: Pick<ClusterClient, 'get' | 'apply' | 'change'>,
  { pod, namespacePath, podPath, untilGone }: OrderPod,
) {
  /** Lets a service of an order begin, and those that were let before. */
  const letBegin = async (orderId: bigint, service: string | undefined): Promise<void> => {
    const path = `${namespacePath(orderId)}/secrets`
    const { data } = (await cluster.get<V1Secret>(`${path}/${GATES}`)) ?? {}
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: GATES }, data: { ...data, ...gateOf(service) } }
    await cluster.apply(path, object as V1Secret)
  }

  /**
   * Has the node end a service and begin it anew, by the other name of its image: a changed container is replaced, and only that one. False where its
   * image has no other name, or where it does not run.
   */
  const replace = async (orderId: bigint, service: string | undefined): Promise<boolean> => {
    const name = partName(service)
    const found = await pod(orderId)
    const image = otherName(found?.spec?.containers.find((one) => one.name === name)?.image ?? '')
    const before = containerOf(found, service)?.state?.running
    if (image === undefined || !before) return false
    await cluster.change(podPath(orderId), { spec: { containers: [{ name, image }] } })
    await untilGone(`a service of order ${orderId}`, async () => {
      const { state } = containerOf(await pod(orderId), service) ?? {}
      return String(state?.running?.startedAt) === String(before.startedAt) ? state : undefined
    })
    return true
  }

  const knock = (orderId: bigint, times: number) =>
    cluster.change(podPath(orderId), { metadata: { annotations: { [KNOCKED]: String(times) } } })

  return { letBegin, replace, knock }
}

/**
 * Another name of the same image, which its digest alone decides.
 *
 * @example otherName('docker.io/library/redis:7@sha256:…') // 'docker.io/library/redis@sha256:…'
 */
export function otherName(name: string): string | undefined {
  const image = parseImage(name)
  if (!image?.digest) return undefined
  const { tag, ...rest } = image
  return formatImage(tag === undefined ? { ...rest, tag: OTHER_TAG } : rest)
}
