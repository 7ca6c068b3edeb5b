import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { V1Namespace, V1NamespaceList, V1PodList, V1Secret } from '@kubernetes/client-node'
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
import { APP, LABEL, NOTE } from './names.ts'
import { pinned } from './pinned.ts'
import { podOf } from './podSpec.ts'
import { containerOf, hasEnded, podState, startOf } from './podState.ts'
import { startProcess } from './podStreams.ts'
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
    return (namespaces?.items ?? []).flatMap((one) => podState(one, byNamespace.get(one.metadata?.name)) ?? [])
  }

  return {
    ...{ kind: 'kubernetes', idleCommand: ['sleep', 'infinity'], whyNoServices: 'this provider runs a cluster' },
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
      if (workload.app.own?.sandbox !== undefined && settings.sandboxClass === undefined)
        throw new AppError('runtime_refused', 'this provider has no gVisor in its cluster')
      const [before, there] = await Promise.all([namespace(orderId), pod(orderId)])
      if (before?.metadata?.deletionTimestamp)
        throw new AppError('engine_unavailable', `the namespace of order ${orderId} is still being removed`, { retryable: true })
      if (before && podState(before, there)?.running && before.metadata?.annotations?.[NOTE.deployment] === workload.deploymentId)
        return
      await applyOrder(cluster, nameOf(orderId), workload, { instance, image, resolvers, settings })
    },

    async start(orderId) {
      if (wall) await requireWall(wall, cluster, settings)
      const secret = await cluster.get<V1Secret>(`${namespacePath(orderId)}/secrets/${APP}`)
      if (!secret) throw new AppError('start_failed', 'the application is gone from the cluster', { retryable: true })
      const before = await pod(orderId)
      if (before && (hasEnded(before) || before.metadata?.deletionTimestamp)) await removePod(orderId)
      if (!(await pod(orderId))) await place(namespacePath(orderId), podOf(secret))
      outputs.follow(orderId, nameOf(orderId), startOf(await orderPods.started(orderId)))
    },

    async probe(orderId, probe) {
      const found = await pod(orderId)
      const state = found && containerOf(found)?.state?.running
      if (!found || !state || found.metadata?.deletionTimestamp) return false
      outputs.follow(orderId, nameOf(orderId), startOf(found))
      if (probe.kind === 'started') return Date.now() - Date.parse(String(state.startedAt)) >= STARTED_MS
      if (probe.kind !== 'exec') return found.status?.podIP !== undefined && probeAddress(found.status.podIP, probe)
      return succeeds(cluster, nameOf(orderId), probe.command)
    },

    ...{ stop: removePod, stopService: removePod },

    async remove(orderId, { wipe, keepVolumes = false }) {
      if (!(await namespace(orderId))) return
      if (wipe) outputs.remove(orderId)
      if (!wipe || keepVolumes) {
        await removePod(orderId)
        await cluster.remove(`${namespacePath(orderId)}/secrets/${APP}`)
        const { metadata, ...rest } = (await namespace(orderId)) ?? {}
        const { name, labels } = metadata ?? {}
        return cluster.apply('/api/v1/namespaces', {
          ...rest,
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name, labels },
        } as V1Namespace)
      }
      // A cluster lets five seconds pass before it empties a namespace, and five more where it finds a disk then: both go meanwhile.
      await cluster.remove(namespacePath(orderId))
      await removePod(orderId)
      await cluster.remove(`${namespacePath(orderId)}/persistentvolumeclaims/${APP}`).catch(() => {})
      await untilGone(`the namespace of order ${orderId}`, () => namespace(orderId))
    },

    // A pod's own disk ends with it.
    setAside: async () => false,
    takeBack: async () => {},
    dropAside: async () => {},
    aside: async () => undefined,

    async find(orderId) {
      const [one, there] = await Promise.all([namespace(orderId), pod(orderId)])
      return one && podState(one, there)
    },

    list,

    async ordersWithData() {
      const namespaces = await cluster.get<V1NamespaceList>(`/api/v1/namespaces?${selector}`)
      return (namespaces?.items ?? []).flatMap(({ metadata }) => {
        const order = metadata?.labels?.[LABEL.order]
        return order && !metadata?.deletionTimestamp ? [BigInt(order)] : []
      })
    },

    async logs(orderId, lines) {
      return (await pod(orderId)) ? cluster.read(`${podPath(orderId)}/log?container=${APP}&tailLines=${lines}`) : ''
    },
    output: outputs.source,
    removeOutput: async (orderId) => outputs.remove(orderId),
    listening: async () => undefined,
    async usage(orderId) {
      const found = await pod(orderId)
      return found && usage(found)
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
async function succeeds(cluster: ClusterClient, namespace: string, command: readonly string[]): Promise<boolean> {
  const { exitCode, stdout, stderr, close } = await startProcess(cluster, namespace, command)
  stdout.resume()
  stderr.resume()
  const timer = setTimeout(close, PROBE_MS)
  return exitCode.finally(() => clearTimeout(timer)).then((code) => code === 0)
}
