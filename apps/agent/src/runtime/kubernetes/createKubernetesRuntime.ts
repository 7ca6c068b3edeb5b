import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { V1Namespace, V1NamespaceList, V1Pod, V1PodList, V1Secret } from '@kubernetes/client-node'
import { AppError } from '@rackfair/rules/errors/AppError'
import { prepareFileServer } from '../engine/fileServer.ts'
import { probeAddress } from '../engine/probeAddress.ts'
import { OWN_IMAGES, type OwnImages } from '../ownImageRules.ts'
import type { Runtime, WorkloadState } from '../Runtime.ts'
import { createRegistryClient } from '../registry/createRegistryClient.ts'
import { applyOrder } from './applyOrder.ts'
import { type ClusterClient, createClusterClient } from './clusterClient.ts'
import { readyNodes, UNWALLED } from './conformance.ts'
import { createInsidePod } from './createInsidePod.ts'
import { createOrderPods } from './createOrderPods.ts'
import { createPodOutputs } from './createPodOutputs.ts'
import { createPodPlacer } from './createPodPlacer.ts'
import { describeOwnImage } from './describeOwnImage.ts'
import type { KubernetesSettings } from './kubernetesSettings.ts'
import { APP, GATES, LABEL, NOTE, partName } from './names.ts'
import { pinned } from './pinned.ts'
import { podOf } from './podSpec.ts'
import { containerOf, hasEnded, partsOf, podState, servicesOf, startOf } from './podState.ts'
import { type Inside, startProcess } from './podStreams.ts'
import { createPodUsage } from './podUsage.ts'
import { createPodWall } from './podWall.ts'

const PUBLIC_RESOLVERS = ['1.1.1.1', '9.9.9.9', '8.8.8.8']
/** What ends sooner has not started. */
const STARTED_MS = 1000
const PROBE_MS = 10_000

export interface KubernetesOptions {
  /** Six hex digits that tell this agent from others of the cluster. */
  instance: string
  data: string
  settings: KubernetesSettings
  resolvers?: readonly string[] | undefined
  ownImages?: OwnImages
}

/** A pod's own disk ends with it, and its order has one pod. */
const NOTHING_BESIDE = {
  prepare: async () => {},
  dropNext: async () => {},
  setAside: async () => false,
  takeBack: async () => {},
  dropAside: async () => {},
  aside: async () => undefined,
} satisfies Partial<Runtime>

/**
 * Runs orders in a Kubernetes cluster: one namespace each, in which a pod is made at each start and removed at each stop; its disk is a
 * volume claim that stays. What a namespace says was applied last is the truth, so an agent that starts again finds its orders.
 */
export async function createKubernetesRuntime({
  instance,
  data,
  settings,
  resolvers = PUBLIC_RESOLVERS,
  ownImages = OWN_IMAGES,
}: KubernetesOptions): Promise<Runtime> {
  const cluster = await createClusterClient(settings)
  const wall = settings.wall && createPodWall(instance, settings.wall)
  await wall?.keep()
  const registry = createRegistryClient({ local: ownImages.localRegistries })
  const outputs = createPodOutputs(cluster, join(data, 'output'))
  const usage = createPodUsage(cluster)
  const toolsFolder = join(data, 'tools')
  mkdirSync(toolsFolder, { recursive: true })
  const place = createPodPlacer(cluster, settings)
  const selector = `labelSelector=${encodeURIComponent(`${LABEL.instance}=${instance}`)}`
  const orderPods = createOrderPods(cluster, instance)
  const { nameOf, namespacePath, podPath, namespace, pod, untilGone, removePod } = orderPods

  const list = async (): Promise<WorkloadState[]> => {
    const [namespaces, pods] = await Promise.all([
      cluster.get<V1NamespaceList>(`/api/v1/namespaces?${selector}`),
      cluster.get<V1PodList>(`/api/v1/pods?${selector}`),
    ])
    const byNamespace = new Map(pods?.items.map((one) => [one.metadata?.namespace, one]))
    return (namespaces?.items ?? []).flatMap((one) =>
      servicesOf(one).flatMap((service) => podState(one, byNamespace.get(one.metadata?.name), service) ?? []),
    )
  }

  return {
    ...{ kind: 'kubernetes', idleCommand: ['sleep', 'infinity'], whyNoServices: undefined, sharesPorts: true },
    whyNoGvisor: settings.sandboxClass === undefined ? 'the cluster names no RuntimeClass of gVisor' : undefined,

    async check() {
      await cluster.check()
      await wall?.keep()
    },

    hasImage: async ({ image }) => !image.startsWith('localhost/') || settings.registry !== undefined,
    /** Nodes pull by themselves: all there is to know is what they are to pull. */
    async ensureImage(app, _, known) {
      const isBuilt = app.image.startsWith('localhost/')
      if (isBuilt && settings.registry === undefined)
        throw new AppError(
          'image_missing',
          `${app.name} is built from a recipe: push it to a registry of the cluster and name that in kubernetes.registry`,
        )
      return pinned(isBuilt ? app.image.replace('localhost', settings.registry ?? '') : app.image, known)
    },

    ensureOwnImage: (app, known, { maxBytes }) => describeOwnImage(registry, ownImages, { app, known, maxBytes }),

    async create(workload, image) {
      const { orderId } = workload
      const service = workload.app.service?.key
      if (workload.app.own?.sandbox !== undefined && settings.sandboxClass === undefined)
        throw new AppError('runtime_refused', 'this provider has no gVisor in its cluster')
      const [before, there] = await Promise.all([namespace(orderId), pod(orderId)])
      if (before?.metadata?.deletionTimestamp)
        throw new AppError('engine_unavailable', `the namespace of order ${orderId} is still being removed`, { retryable: true })
      if (
        before &&
        podState(before, there, service)?.running &&
        before.metadata?.annotations?.[NOTE.deployment] === workload.deploymentId
      )
        return
      await applyOrder(cluster, nameOf(orderId), workload, { instance, image, resolvers, settings }, before)
    },

    async start(orderId, service) {
      if (wall) await requireWall(wall, cluster, settings)
      const begun = await startPart(cluster, orderPods, place, orderId, service)
      outputs.follow(orderId, nameOf(orderId), startOf(begun, service), service)
    },

    async probe(orderId, probe, service) {
      const found = await pod(orderId)
      const state = found && containerOf(found, service)?.state?.running
      if (!found || !state || found.metadata?.deletionTimestamp) return false
      outputs.follow(orderId, nameOf(orderId), startOf(found, service), service)
      if (probe.kind === 'started') return Date.now() - Date.parse(String(state.startedAt)) >= STARTED_MS
      if (probe.kind !== 'exec') return found.status?.podIP !== undefined && probeAddress(found.status.podIP, probe)
      return succeeds(cluster, { namespace: nameOf(orderId), container: partName(service) }, probe.command)
    },

    stop: removePod,
    async stopService(orderId, service) {
      const [applied, found] = await Promise.all([namespace(orderId), pod(orderId)])
      if (!applied || !found || partsOf(applied).length === 0 || !(await orderPods.replace(orderId, service)))
        await removePod(orderId)
    },

    async remove(orderId, { wipe, keepVolumes = false }) {
      if (!(await namespace(orderId))) return
      if (wipe) outputs.remove(orderId)
      if (!wipe || keepVolumes) return forgetOrder(cluster, orderPods, orderId)
      // A cluster lets five seconds pass before it empties a namespace, and five more where it finds a disk then: both go meanwhile.
      await cluster.remove(namespacePath(orderId))
      await removePod(orderId)
      await cluster.remove(`${namespacePath(orderId)}/persistentvolumeclaims/${APP}`).catch(() => {})
      await untilGone(`the namespace of order ${orderId}`, () => namespace(orderId))
    },

    ...NOTHING_BESIDE,

    async find(orderId, service) {
      const [one, there] = await Promise.all([namespace(orderId), pod(orderId)])
      return one && podState(one, there, service)
    },

    list,

    async ordersWithData() {
      const namespaces = await cluster.get<V1NamespaceList>(`/api/v1/namespaces?${selector}`)
      return (namespaces?.items ?? []).flatMap(({ metadata }) => {
        const order = metadata?.labels?.[LABEL.order]
        return order && !metadata?.deletionTimestamp ? [BigInt(order)] : []
      })
    },

    async logs(orderId, lines, service) {
      const { state, lastState } = containerOf(await pod(orderId), service) ?? {}
      const part = partName(service)
      // Nothing was written by one that has not begun.
      if (!state?.running && !state?.terminated && !lastState?.terminated) return ''
      return cluster.read(`${podPath(orderId)}/log?container=${part}&tailLines=${lines}`)
    },
    output: outputs.source,
    removeOutput: async (orderId) => outputs.remove(orderId),
    listening: async () => undefined,
    async usage(orderId, service) {
      const found = await pod(orderId)
      return found && usage(found, service === undefined ? undefined : partName(service || undefined))
    },
    ...createInsidePod({ cluster, toolsFolder: await prepareFileServer(toolsFolder), running: orderPods.running }),

    async close({ stopWorkloads }) {
      if (stopWorkloads) for (const { orderId, running: runs } of await list()) if (runs) await removePod(orderId).catch(() => {})
      outputs.close()
      await registry.close()
      if (stopWorkloads) await wall?.remove()
    },
  }
}

type OrderPods = ReturnType<typeof createOrderPods>

/** The pod of an order once it runs, or once one of its services does. @throws AppError `start_failed` */
async function startPart(
  cluster: ClusterClient,
  { namespace, namespacePath, pod, removePod, letBegin, started }: OrderPods,
  place: ReturnType<typeof createPodPlacer>,
  orderId: bigint,
  service: string | undefined,
): Promise<V1Pod> {
  const applied = await namespace(orderId)
  const parts = applied ? servicesOf(applied).map(partName).sort() : []
  const read = parts.map((part) => cluster.get<V1Secret>(`${namespacePath(orderId)}/secrets/${part}`))
  const secrets = (await Promise.all(read)).flatMap((one) => one ?? [])
  if (!applied || secrets.length < parts.length)
    throw new AppError('start_failed', 'the application is gone from the cluster', { retryable: true })
  const before = await pod(orderId)
  // Of several, one that ended as if it were done is not started again by its node: all of them begin anew.
  const isOver = before && (hasEnded(before) || containerOf(before, service)?.state?.terminated?.exitCode === 0)
  if (before && (isOver || before.metadata?.deletionTimestamp)) await removePod(orderId)
  if (!(await pod(orderId))) {
    await cluster.remove(`${namespacePath(orderId)}/secrets/${GATES}`)
    await place(namespacePath(orderId), podOf(secrets))
  }
  if (partsOf(applied).length > 0) await letBegin(orderId, service)
  return started(orderId, service)
}

/** Removes an order's pod and what it was made of; its disk stays. */
async function forgetOrder(
  cluster: ClusterClient,
  { namespace, namespacePath, removePod }: OrderPods,
  orderId: bigint,
): Promise<void> {
  await removePod(orderId)
  const { metadata, ...rest } = (await namespace(orderId)) ?? {}
  const secrets = [GATES, ...servicesOf({ metadata: metadata ?? {} }).map(partName)]
  await Promise.all(secrets.map((name) => cluster.remove(`${namespacePath(orderId)}/secrets/${name}`)))
  const { name, labels } = metadata ?? {}
  await cluster.apply('/api/v1/namespaces', {
    ...rest,
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  } as V1Namespace)
}

async function requireWall(
  wall: ReturnType<typeof createPodWall>,
  cluster: Parameters<typeof readyNodes>[0],
  { nodeSelector }: KubernetesSettings,
): Promise<void> {
  const isThere = await wall.isThere()
  if (isThere && (await readyNodes(cluster, nodeSelector)).length <= 1) return
  throw new AppError('isolation_unavailable', isThere ? UNWALLED : 'the wall of the pods is not in place', { retryable: true })
}

/** Runs a command inside of an order's pod; true when it ends with 0 in time. */
async function succeeds(cluster: ClusterClient, inside: Inside, command: readonly string[]): Promise<boolean> {
  const { exitCode, stdout, stderr, close } = await startProcess(cluster, inside, command)
  stdout.resume()
  stderr.resume()
  const timer = setTimeout(close, PROBE_MS)
  return exitCode.finally(() => clearTimeout(timer)).then((code) => code === 0)
}
