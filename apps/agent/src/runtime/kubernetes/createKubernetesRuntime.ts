import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { V1Namespace, V1NamespaceList, V1Node, V1Pod, V1PodList, V1Secret } from '@kubernetes/client-node'
import { AppError, formatImage, parseImage } from '@rackfair/core'
import { OWN_IMAGES, type OwnImages } from '../../config/agentConfig.ts'
import type { KubernetesSettings } from '../../config/kubernetesSettings.ts'
import { prepareFileServer } from '../engine/fileServer.ts'
import { probeAddress } from '../engine/probeAddress.ts'
import { requireOffered, sizeLimit } from '../ownImageRules.ts'
import type { Runtime, WorkloadState } from '../Runtime.ts'
import { createRegistryClient } from '../registry/createRegistryClient.ts'
import { createClusterClient } from './clusterClient.ts'
import { createInsidePod } from './createInsidePod.ts'
import { createPodOutputs } from './createPodOutputs.ts'
import { createPodPlacer } from './createPodPlacer.ts'
import { APP, LABEL, NOTE, namespaceOf } from './names.ts'
import { orderClaim, orderLimitRange, orderNamespace, orderPolicies, orderQuota } from './orderObjects.ts'
import { pause } from './pause.ts'
import { orderSecret, podOf, registrySecret, STOP_SECONDS } from './podSpec.ts'
import { containerOf, hasEnded, isNodeReady, podState, runsNothing, startOf, whyNotStarting } from './podState.ts'
import { startProcess } from './podStreams.ts'
import { createPodUsage } from './podUsage.ts'
import { createPodWall } from './podWall.ts'

const PUBLIC_RESOLVERS = ['1.1.1.1', '9.9.9.9', '8.8.8.8']
/** Of a pod, with the pull of its image. */
const START_MS = 600_000
/** Until a pod or a namespace is gone: longer than a node needs to stop what does not want to. */
const GONE_MS = 120_000
/** A node that lives says within this that a pod has stopped. */
const CONFIRMED_MS = 15_000
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
  const nameOf = (orderId: bigint) => namespaceOf(instance, orderId)
  const namespacePath = (orderId: bigint) => `/api/v1/namespaces/${nameOf(orderId)}`
  const podPath = (orderId: bigint) => `${namespacePath(orderId)}/pods/${APP}`
  const namespace = (orderId: bigint) => cluster.get<V1Namespace>(namespacePath(orderId))
  const pod = (orderId: bigint) => cluster.get<V1Pod>(podPath(orderId))

  const running = async (orderId: bigint) => {
    const found = await pod(orderId)
    if (!found || !containerOf(found)?.state?.running || found.metadata?.deletionTimestamp)
      throw new AppError('app_not_running', 'the application is not running')
    return { namespace: nameOf(orderId), start: startOf(found) }
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

  const list = async (): Promise<WorkloadState[]> => {
    const [namespaces, pods] = await Promise.all([
      cluster.get<V1NamespaceList>(`/api/v1/namespaces?${selector}`),
      cluster.get<V1PodList>(`/api/v1/pods?${selector}`),
    ])
    const byNamespace = new Map(pods?.items.map((one) => [one.metadata?.namespace, one]))
    return (namespaces?.items ?? []).flatMap((one) => podState(one, byNamespace.get(one.metadata?.name)) ?? [])
  }

  return {
    kind: 'kubernetes',
    idleCommand: ['sleep', 'infinity'],
    whyNoGvisor: settings.sandboxClass === undefined ? 'the cluster names no RuntimeClass of gVisor' : undefined,

    async check() {
      await cluster.check()
      await wall?.keep()
    },

    hasImage: async ({ image }) => !image.startsWith('localhost/') || settings.registry !== undefined,
    /** Nodes pull by themselves: all there is to know is what they are to pull. */
    async ensureImage(app) {
      const isBuilt = app.image.startsWith('localhost/')
      if (isBuilt && settings.registry === undefined)
        throw new AppError(
          'image_missing',
          `${app.name} is built from a recipe: push it to a registry of the cluster and name that in kubernetes.registry`,
        )
      return isBuilt ? app.image.replace('localhost', settings.registry ?? '') : app.image
    },

    async ensureOwnImage(app, known, { maxBytes }) {
      const image = parseImage(known ?? app.image)
      if (!image) throw new AppError('app_malformed', `${app.image.slice(0, 200)} is no name of an image`)
      if (known !== undefined && image.digest) return { imageId: known, image: known, notes: [] }
      requireOffered(ownImages, image)
      const { digest, layers } = await registry.describe(image, {}, app.own?.registry)
      sizeLimit(
        ownImages,
        layers.reduce((sum, { size }) => sum + size, 0),
        maxBytes,
      )
      const name = formatImage({ ...image, digest })
      return { imageId: name, image: name, notes: [] }
    },

    async create(workload, image) {
      const { orderId } = workload
      if (workload.app.own?.sandbox !== undefined && settings.sandboxClass === undefined)
        throw new AppError('runtime_refused', 'this provider has no gVisor in its cluster')
      const [before, there] = await Promise.all([namespace(orderId), pod(orderId)])
      if (before?.metadata?.deletionTimestamp)
        throw new AppError('engine_unavailable', `the namespace of order ${orderId} is still being removed`, { retryable: true })
      if (before && podState(before, there)?.running && before.metadata?.annotations?.[NOTE.deployment] === workload.deploymentId)
        return
      const path = namespacePath(orderId)
      // The last one says that the others are there.
      const object = orderNamespace(instance, workload)
      await cluster.apply('/api/v1/namespaces', { ...object, metadata: { ...object.metadata, annotations: {} } } as V1Namespace)
      // Before its quota, which refuses everything until the cluster has counted what there is; and it is bound meanwhile.
      if (workload.app.volumes.length > 0 && !(await cluster.get(`${path}/persistentvolumeclaims/${APP}`)))
        await cluster.create(`${path}/persistentvolumeclaims`, orderClaim(workload, settings))
      const account = registrySecret(workload)
      const policies = `/apis/networking.k8s.io/v1/namespaces/${nameOf(orderId)}/networkpolicies`
      await Promise.all([
        cluster.apply(`${path}/resourcequotas`, orderQuota(workload)),
        cluster.apply(`${path}/limitranges`, orderLimitRange(workload)),
        ...orderPolicies(settings).map((policy) => cluster.apply(policies, policy)),
        cluster.apply(`${path}/secrets`, orderSecret(workload, { instance, image, resolvers, settings })),
        account && cluster.apply(`${path}/secrets`, account),
      ])
      await cluster.apply('/api/v1/namespaces', object)
    },

    async start(orderId) {
      if (wall && !(await wall.isThere()))
        throw new AppError('isolation_unavailable', 'the wall of the pods is not in place', { retryable: true })
      const secret = await cluster.get<V1Secret>(`${namespacePath(orderId)}/secrets/${APP}`)
      if (!secret) throw new AppError('start_failed', 'the application is gone from the cluster', { retryable: true })
      const before = await pod(orderId)
      if (before && (hasEnded(before) || before.metadata?.deletionTimestamp)) await removePod(orderId)
      if (!(await pod(orderId))) await place(namespacePath(orderId), podOf(secret))
      const began = performance.now()
      for (;;) {
        const found = await pod(orderId)
        if (found && (containerOf(found)?.state?.running || hasEnded(found)))
          return outputs.follow(orderId, nameOf(orderId), startOf(found))
        const waitedMs = performance.now() - began
        const why = found ? whyNotStarting(found, waitedMs) : new AppError('start_failed', 'the pod is gone', { retryable: true })
        if (why || waitedMs > START_MS) {
          await removePod(orderId)
          throw why ?? new AppError('start_timeout', 'the cluster did not start the pod in time', { retryable: true })
        }
        await pause()
      }
    },

    async probe(orderId, probe) {
      const found = await pod(orderId)
      const state = found && containerOf(found)?.state?.running
      if (!found || !state || found.metadata?.deletionTimestamp) return false
      outputs.follow(orderId, nameOf(orderId), startOf(found))
      if (probe.kind === 'started') return Date.now() - Date.parse(String(state.startedAt)) >= STARTED_MS
      if (probe.kind !== 'exec') return found.status?.podIP !== undefined && probeAddress(found.status.podIP, probe)
      const { exitCode, stdout, stderr, close } = await startProcess(cluster, nameOf(orderId), probe.command)
      stdout.resume()
      stderr.resume()
      const timer = setTimeout(close, PROBE_MS)
      return exitCode.finally(() => clearTimeout(timer)).then((code) => code === 0)
    },

    stop: removePod,

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
    async usage(orderId) {
      const found = await pod(orderId)
      return found && usage(found)
    },
    ...createInsidePod({ cluster, toolsFolder: await prepareFileServer(toolsFolder), running }),

    async close({ stopWorkloads }) {
      if (stopWorkloads) for (const { orderId, running: runs } of await list()) if (runs) await removePod(orderId).catch(() => {})
      outputs.close()
      await registry.close()
      if (stopWorkloads) await wall?.remove()
    },
  }
}
