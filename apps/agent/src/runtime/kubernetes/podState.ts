import type { V1Namespace, V1Node, V1Pod } from '@kubernetes/client-node'
import { AppError } from '@rackfair/rules/errors/AppError'
import { notStarted } from '../notStarted.ts'
import type { WorkloadState } from '../Runtime.ts'
import { LABEL, NOTE } from './names.ts'

const KILLED = 137

/** An order's application as the agent speaks of it; undefined where none is applied. */
export function podState({ metadata }: V1Namespace, pod: V1Pod | undefined): WorkloadState | undefined {
  const deploymentId = metadata?.annotations?.[NOTE.deployment]
  if (!deploymentId || metadata?.deletionTimestamp) return undefined
  const running = pod?.metadata?.deletionTimestamp ? undefined : containerOf(pod)?.state?.running
  return {
    orderId: BigInt(metadata?.labels?.[LABEL.order] ?? '0'),
    deploymentId,
    imageId: pod?.spec?.containers[0]?.image ?? '',
    slot: Number(metadata?.annotations?.[NOTE.slot] ?? '0'),
    sandboxed: Boolean(metadata?.annotations?.[NOTE.sandbox]),
    ...endOf(pod),
    running: running !== undefined,
    upstream: running && pod?.status?.podIP ? { address: pod.status.podIP, start: startOf(pod) } : undefined,
  }
}

/** Another at each start. */
export const startOf = (pod: V1Pod): string => `${pod.metadata?.uid} ${String(containerOf(pod)?.state?.running?.startedAt)}`

export const containerOf = (pod: V1Pod | undefined) => pod?.status?.containerStatuses?.[0]

export const isNodeReady = ({ status }: V1Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false

export const hasEnded = (pod: V1Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'

function endOf(pod: V1Pod | undefined): Pick<WorkloadState, 'exitCode' | 'outOfMemory' | 'endedAt'> {
  const ended = containerOf(pod)?.state?.terminated
  if (ended)
    return {
      exitCode: ended.exitCode,
      outOfMemory: ended.reason === 'OOMKilled',
      endedAt: Date.parse(String(ended.finishedAt)) || undefined,
    }
  // Evicted by its node, or its node is gone: the program came to no end of its own.
  if (pod && hasEnded(pod)) return { exitCode: KILLED, outOfMemory: false, endedAt: undefined }
  return { exitCode: 0, outOfMemory: false, endedAt: undefined }
}

const NO_IMAGE = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError']

/**
 * Of a pod that is being removed: its node says that nothing of it runs any more, or that for want of its image nothing ever did. A node
 * that looks a moment late finds no container to speak of, and says so in the phase only.
 */
export const runsNothing = (pod: V1Pod): boolean =>
  pod.metadata?.deletionTimestamp !== undefined &&
  (hasEnded(pod) || NO_IMAGE.includes(containerOf(pod)?.state?.waiting?.reason ?? ''))

/** What a busy node says of secrets that it has not yet read; it goes on by itself. */
const BUSY_NODE = 'timed out waiting for the condition'

/** A disk is bound, and a node that was full has room, within this if at all. */
const PLACED_MS = 30_000

/** Why a pod does not come up; undefined while it still may. */
export function whyNotStarting(pod: V1Pod, waitedMs: number): AppError | undefined {
  const { reason = '', message = '' } = containerOf(pod)?.state?.waiting ?? {}
  const said = message.slice(0, 300)
  if (NO_IMAGE.includes(reason))
    return new AppError('image_missing', 'the cluster cannot get the image: see that its name and account are right', {
      cause: said || reason,
    })
  if (said.includes('runAsNonRoot') || said.includes('non-numeric user'))
    return new AppError('start_failed', 'this provider starts no image as root: deploy it with the number of another user')
  const isTriedAgain = said.includes(BUSY_NODE)
  if (['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'].includes(reason) && !isTriedAgain)
    return notStarted(said || reason, { retryable: true })
  const placed = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  if (placed?.status === 'False' && placed.reason === 'Unschedulable' && waitedMs > PLACED_MS)
    return new AppError('start_failed', 'no node of the cluster has room', {
      ...{ cause: placed.message?.slice(0, 300), retryable: true, facts: { machine: true } },
    })
  return undefined
}
