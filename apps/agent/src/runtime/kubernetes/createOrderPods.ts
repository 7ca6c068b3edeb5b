import type { V1Namespace, V1Node, V1Pod } from '@kubernetes/client-node'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { ClusterClient } from './clusterClient.ts'
import { createGates } from './createGates.ts'
import { APP, namespaceOf, partName } from './names.ts'
import { pause } from './pause.ts'
import { STOP_SECONDS } from './podSpec.ts'
import { containerOf, hasEnded, isAtGate, isNodeReady, runsNothing, startOf, whyNotStarting } from './podState.ts'

/** Timeout for a pod's start, including its image pull. */
const START_MS = 600_000
/** Until a pod or a namespace is gone: longer than a node needs to stop what does not want to. */
const GONE_MS = 120_000
/** A live node reports within this time that a pod has stopped. */
const CONFIRMED_MS = 15_000
/** A node that finds a gate shut looks again after ten seconds and more, and at once when its pod is changed. */
const KNOCK_MS = 1000

/** The namespace and the pod of each order in a cluster. */
export function createOrderPods(cluster: ClusterClient, instance: string) {
  const nameOf = (orderId: bigint) => namespaceOf(instance, orderId)
  const namespacePath = (orderId: bigint) => `/api/v1/namespaces/${nameOf(orderId)}`
  const podPath = (orderId: bigint) => `${namespacePath(orderId)}/pods/${APP}`
  const namespace = (orderId: bigint) => cluster.get<V1Namespace>(namespacePath(orderId))
  const pod = (orderId: bigint) => cluster.get<V1Pod>(podPath(orderId))

  const running = async (orderId: bigint, service?: string) => {
    const found = await pod(orderId)
    if (!found || !containerOf(found, service)?.state?.running || found.metadata?.deletionTimestamp)
      throw new AppError('app_not_running', 'the application is not running')
    return { namespace: nameOf(orderId), start: startOf(found, service), container: partName(service) }
  }

  const isReady = async (name: string) => {
    const node = await cluster.get<V1Node>(`/api/v1/nodes/${encodeURIComponent(name)}`)
    return node !== undefined && isNodeReady(node)
  }

  const untilGone = async (what: string, read: () => Promise<unknown>) => {
    const deadline = performance.now() + GONE_MS
    while ((await read()) !== undefined) {
      if (performance.now() > deadline)
        throw new AppError('engine_unavailable', `the cluster does not let go of ${what}`, { retryable: true })
      await pause()
    }
  }
  const removePod = async (orderId: bigint) => {
    const node = (await pod(orderId))?.spec?.nodeName
    await cluster.remove(podPath(orderId), STOP_SECONDS)
    const began = performance.now()
    const isLost = async () => node && performance.now() - began > CONFIRMED_MS && !(await isReady(node))
    await untilGone(`the pod of order ${orderId}`, async () => {
      const found = await pod(orderId)
      // A node says at once that a program has stopped, and keeps the pod up to a minute more. One that died says nothing.
      if (found && (runsNothing(found) || (await isLost()))) await cluster.remove(podPath(orderId), 0)
      return found
    })
  }

  const gates = createGates(cluster, { pod, namespacePath, podPath, untilGone })

  /** The pod, once its program runs or has ended, or one of its services. One that does not come that far is removed. */
  const started = async (orderId: bigint, service?: string): Promise<V1Pod> => {
    const began = performance.now()
    for (let knocks = 0; ; ) {
      const found = await pod(orderId)
      const { state, lastState } = containerOf(found, service) ?? {}
      if (found && (state?.running || state?.terminated || lastState?.terminated || hasEnded(found))) return found
      const waitedMs = performance.now() - began
      if (found && isAtGate(found, service) && waitedMs > knocks * KNOCK_MS) await gates.knock(orderId, ++knocks)
      const why = found
        ? whyNotStarting(found, waitedMs, service)
        : new AppError('start_failed', 'the pod is gone', { retryable: true })
      if (why || waitedMs > START_MS) {
        await removePod(orderId)
        throw why ?? new AppError('start_timeout', 'the cluster did not start the pod in time', { retryable: true })
      }
      await pause()
    }
  }

  return { nameOf, namespacePath, podPath, namespace, pod, running, untilGone, removePod, started, ...gates }
}
