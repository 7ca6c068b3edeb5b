import type { V1Namespace, V1Node, V1Pod } from '@kubernetes/client-node'
import { AppError } from '@rackfair/rules/errors/AppError'
import { notStarted } from '../notStarted.ts'
import type { WorkloadState } from '../Runtime.ts'
import { GATES, LABEL, NOTE, partName } from './names.ts'

const KILLED = 137

/** An order's application as the agent speaks of it, or one of its services; undefined where none is applied. */
export function podState(namespace: V1Namespace, pod: V1Pod | undefined, service?: string): WorkloadState | undefined {
  const { metadata } = namespace
  const deploymentId = metadata?.annotations?.[NOTE.deployment]
  const parts = partsOf(namespace)
  const part = partName(service)
  const isApplied = parts.length > 0 ? parts.includes(part) : service === undefined
  if (!deploymentId || metadata?.deletionTimestamp || !isApplied) return undefined
  const running = pod?.metadata?.deletionTimestamp ? undefined : containerOf(pod, service)?.state?.running
  return {
    orderId: BigInt(metadata?.labels?.[LABEL.order] ?? '0'),
    service,
    deploymentId,
    imageId: pod?.spec?.containers.find(({ name }) => name === part)?.image ?? '',
    slot: Number(metadata?.annotations?.[NOTE.slot] ?? '0'),
    sandboxed: Boolean(metadata?.annotations?.[NOTE.sandbox]),
    ...endOf(pod, service),
    running: running !== undefined,
    upstream: running && pod?.status?.podIP ? { address: pod.status.podIP, start: startOf(pod, service) } : undefined,
  }
}

/** What was applied of several services, by the names of their parts. */
export const partsOf = ({ metadata }: V1Namespace): string[] =>
  metadata?.annotations?.[NOTE.parts]?.split(',').filter((name) => name !== '') ?? []

/** Of an application as `podState` has it: the main one of several services, or the only one, and the others. */
export const servicesOf = (namespace: V1Namespace): (string | undefined)[] => {
  const parts = partsOf(namespace)
  const prefix = partName('')
  return parts.length > 0 ? parts.map((part) => (part.startsWith(prefix) ? part.slice(prefix.length) : undefined)) : [undefined]
}

/** Another at each start. */
export const startOf = (pod: V1Pod, service?: string): string =>
  `${pod.metadata?.uid} ${String(containerOf(pod, service)?.state?.running?.startedAt)}`

export const containerOf = (pod: V1Pod | undefined, service?: string) =>
  pod?.status?.containerStatuses?.find(({ name }) => name === partName(service))

export const isNodeReady = ({ status }: V1Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false

export const hasEnded = (pod: V1Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'

function endOf(pod: V1Pod | undefined, service?: string): Pick<WorkloadState, 'exitCode' | 'outOfMemory' | 'endedAt'> {
  const { state, lastState } = containerOf(pod, service) ?? {}
  // A node that is about to start it again says how it ended before.
  const ended = state?.terminated ?? (state?.waiting ? lastState?.terminated : undefined)
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
  (hasEnded(pod) ||
    (pod.status?.containerStatuses ?? []).some(({ state }) => NO_IMAGE.includes(state?.waiting?.reason ?? '')) ||
    isHeldBack(pod))

/** Some of several services have ended, and none runs: the others wait at their gates. */
const isHeldBack = ({ status }: V1Pod): boolean =>
  status?.containerStatuses?.every(({ state }) => !state?.running) === true &&
  status.containerStatuses.some(({ state }) => state?.waiting?.message?.includes(GATES))

/** What a busy node says of secrets that it has not yet read; it goes on by itself. */
const BUSY_NODE = 'timed out waiting for the condition'

/** A node has not heard yet that a service may begin. */
export const isAtGate = (pod: V1Pod, service: string | undefined): boolean =>
  containerOf(pod, service)?.state?.waiting?.message?.includes(GATES) === true

/** A disk is bound, and a node that was full has room, within this if at all. */
const PLACED_MS = 30_000

/** Why a pod does not come up, or one of its services; undefined while it still may. */
export function whyNotStarting(pod: V1Pod, waitedMs: number, service?: string): AppError | undefined {
  const { reason = '', message = '' } = containerOf(pod, service)?.state?.waiting ?? {}
  const said = message.slice(0, 300)
  if (NO_IMAGE.includes(reason))
    return new AppError('image_missing', 'the cluster cannot get the image: see that its name and account are right', {
      cause: said || reason,
    })
  if (said.includes('runAsNonRoot') || said.includes('non-numeric user'))
    return new AppError('start_failed', 'this provider starts no image as root: deploy it with the number of another user')
  const isTriedAgain = said.includes(BUSY_NODE) || isAtGate(pod, service)
  if (['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'].includes(reason) && !isTriedAgain)
    return notStarted(said || reason, { retryable: true })
  const placed = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  if (placed?.status === 'False' && placed.reason === 'Unschedulable' && waitedMs > PLACED_MS)
    return new AppError('start_failed', 'no node of the cluster has room', {
      ...{ cause: placed.message?.slice(0, 300), retryable: true, facts: { machine: true } },
    })
  return undefined
}
