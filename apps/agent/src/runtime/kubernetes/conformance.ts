import type { V1Node, V1NodeList, V1Pod, V1Secret } from '@kubernetes/client-node'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Check } from '../../foundation/Check.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import type { RunSpec } from '../RunSpec.ts'
import type { Allowance, Runtime } from '../Runtime.ts'
import { createClusterClient } from './clusterClient.ts'
import { findStorageClass } from './findStorageClass.ts'
import type { KubernetesSettings } from './kubernetesSettings.ts'
import { APP, namespaceOf } from './names.ts'
import { podOf } from './podSpec.ts'
import { isNodeReady } from './podState.ts'
import { startProcess } from './podStreams.ts'

/** Numbers that no order has. */
const FIRST = 9_007_199_254_740_001n
const SECOND = FIRST + 1n
const MIB = 2 ** 20
const ALLOWANCE: Allowance = { cores: 0.25, memoryBytes: 128 * MIB, diskBytes: 256 * MIB, gpus: [] }
const START_MS = 300_000

/** Everything that the agent does with a cluster: verb, resource and its group. */
export const RIGHTS = [
  ...['get', 'list', 'patch', 'delete'].map((verb) => [verb, 'namespaces', ''] as const),
  ...['get', 'list', 'create', 'patch', 'delete'].map((verb) => [verb, 'pods', ''] as const),
  ...['create', 'get'].flatMap((verb) => [[verb, 'pods/exec', ''] as const, [verb, 'pods/portforward', ''] as const]),
  ['get', 'pods/log', ''],
  ...['get', 'patch', 'create', 'delete'].map((verb) => [verb, 'secrets', ''] as const),
  ...['get', 'create', 'delete'].map((verb) => [verb, 'persistentvolumeclaims', ''] as const),
  ...['patch', 'create'].flatMap((verb) => [
    [verb, 'resourcequotas', ''] as const,
    [verb, 'limitranges', ''] as const,
    [verb, 'networkpolicies', 'networking.k8s.io'] as const,
  ]),
  ...['get', 'list'].map((verb) => [verb, 'nodes', ''] as const),
  ['get', 'nodes/proxy', ''],
  ['list', 'storageclasses', 'storage.k8s.io'],
] as const
/** And of a provider that offers gVisor. */
const SANDBOX_RIGHT = ['get', 'runtimeclasses', 'node.k8s.io'] as const

export interface ConformanceOptions {
  settings: KubernetesSettings
  instance: string
  runtime: Runtime
  /** It runs on Debian and listens at 8080: nginx of the catalogue. */
  app: RunSpec
}

/**
 * Proves on the provider's own cluster that it can hold tenants: two pods are started as orders are, and the first one tries what no
 * tenant may. A network plugin that takes policies and enforces none of them, as several do, is found here and nowhere else.
 */
export async function conformance({ settings, instance, runtime, app }: ConformanceOptions): Promise<Check[]> {
  const cluster = await createClusterClient(settings)
  await cluster.check()
  const allowed = await rights(cluster, settings)
  if (!allowed.ok) return [allowed]
  const before = [
    allowed,
    await storage(cluster, settings),
    await nodes(cluster, settings),
    ...(await sandbox(cluster, settings)),
  ]
  if (before.some(({ ok }) => !ok)) return before
  try {
    for (const orderId of [FIRST, SECOND]) await startOne(runtime, app, orderId)
    const namespace = namespaceOf(instance, FIRST)
    return [
      ...before,
      ...(await walls(cluster, runtime, namespace)),
      await quota(cluster, namespace),
      await disk(cluster, namespace, app),
    ]
  } finally {
    await Promise.allSettled([FIRST, SECOND].map((orderId) => runtime.remove(orderId, { wipe: true })))
  }
}

type Cluster = Awaited<ReturnType<typeof createClusterClient>>

async function rights(cluster: Cluster, { sandboxClass }: KubernetesSettings): Promise<Check> {
  const refused: string[] = []
  for (const [verb, resource, group] of [...RIGHTS, ...(sandboxClass === undefined ? [] : [SANDBOX_RIGHT])]) {
    const [name, subresource] = resource.split('/')
    const answer = await cluster.create<{ status?: { allowed?: boolean } }>(
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
        ...{ spec: { resourceAttributes: { verb, resource: name, subresource, group } } },
      } as never,
    )
    if (!answer?.status?.allowed) refused.push(`${verb} ${resource}`)
  }
  return {
    name: 'rights of the agent',
    ok: refused.length === 0,
    found: refused.length === 0 ? 'all' : `not allowed: ${refused.join(', ')}`,
    fix: 'apply deploy/kubernetes/agent-rights.yaml to the cluster',
  }
}

async function storage(cluster: Cluster, settings: KubernetesSettings): Promise<Check> {
  const { storageClass } = settings
  const found = await findStorageClass(cluster, settings)
  return {
    name: 'storage class',
    ok: found !== undefined,
    found:
      found?.metadata?.name ?? (storageClass === undefined ? 'the cluster has no default class' : `there is no ${storageClass}`),
    fix: 'make a class whose volumes have a size, and name it in kubernetes.storageClass',
  }
}

async function sandbox(cluster: Cluster, { sandboxClass }: KubernetesSettings): Promise<Check[]> {
  if (sandboxClass === undefined) return []
  const found = await cluster.get(`/apis/node.k8s.io/v1/runtimeclasses/${encodeURIComponent(sandboxClass)}`)
  return [
    {
      name: 'gVisor',
      ok: found !== undefined,
      found: found ? sandboxClass : `there is no RuntimeClass ${sandboxClass}`,
      fix: 'make the RuntimeClass of gVisor, or leave kubernetes.sandboxClass out: then buyers are told that this provider has none',
    },
  ]
}

async function nodes(cluster: Cluster, { nodeSelector, wall }: KubernetesSettings): Promise<Check> {
  const names = (await readyNodes(cluster, nodeSelector)).map(({ metadata }) => metadata?.name).join(', ')
  const check = { name: 'nodes', fix: 'label the nodes that are to run orders' }
  if (names === '') return { ...check, ok: false, found: 'none is Ready with the labels of kubernetes.nodeSelector' }
  if (!wall || !names.includes(', ')) return { ...check, ok: true, found: names }
  const fix = 'name this machine alone in kubernetes.nodeSelector, or install a network plugin that enforces NetworkPolicies'
  return { ...check, ok: false, found: `${names}: ${UNWALLED}`, fix }
}

/** Why a wall of the agent's own is not enough for a cluster of several machines. */
export const UNWALLED = 'kubernetes.wall stands on one machine, and orders could be placed on others'

/** The nodes that orders can be placed on. */
export async function readyNodes(
  cluster: Pick<Cluster, 'get'>,
  nodeSelector: Readonly<Record<string, string>>,
): Promise<V1Node[]> {
  const labels = Object.entries(nodeSelector).map(([name, value]) => `${name}=${value}`)
  const query = labels.length > 0 ? `?labelSelector=${encodeURIComponent(labels.join(','))}` : ''
  const all = (await cluster.get<V1NodeList>(`/api/v1/nodes${query}`))?.items ?? []
  return all.filter((node) => !node.spec?.unschedulable && isNodeReady(node))
}

async function startOne(runtime: Runtime, app: RunSpec, orderId: bigint): Promise<void> {
  const workload = { orderId, deploymentId: 'conformance', slot: 0, app, env: {}, allowance: ALLOWANCE }
  await runtime.create(workload, await runtime.ensureImage(app))
  await runtime.start(orderId)
  const began = performance.now()
  while (!(await runtime.probe(orderId, app.probe))) {
    if (performance.now() - began > START_MS)
      throw new AppError('start_timeout', 'a pod of the cluster does not answer this agent')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function run(cluster: Cluster, namespace: string, line: string): Promise<number> {
  const { stdout, stderr, exitCode, close } = await startProcess(cluster, { namespace }, ['/bin/bash', '-c', line])
  stdout.resume()
  stderr.resume()
  return exitCode.finally(close)
}

async function walls(cluster: Cluster, runtime: Runtime, namespace: string): Promise<Check[]> {
  const addressOf = async (orderId: bigint) => (await runtime.find(orderId))?.upstream?.address
  const neighbour = await addressOf(SECOND)
  const reaches = async (host: string | undefined, port: number) =>
    (await run(cluster, namespace, `timeout 3 bash -c 'exec 3<>/dev/tcp/${host}/${port}'`)) === 0
  if (!(await reaches(await addressOf(FIRST), 8080)))
    return [
      {
        name: 'isolation',
        ok: false,
        found: 'the first pod does not reach itself: nothing can be said',
        fix: 'look at its logs',
      },
    ]
  const api = new URL(cluster.server)
  const places = [
    ['another tenant', neighbour, 8080],
    ['the API server', api.hostname, Number(api.port || 443)],
    ['a metadata service', '169.254.169.254', 80],
  ] as const
  return Promise.all(
    places.map(async ([what, host, port]): Promise<Check> => {
      const open = await reaches(host, port)
      return {
        name: `no tenant reaches ${what}`,
        ok: !open,
        found: open ? `${host}:${port} answers: the cluster's network does not enforce policies` : 'held',
        fix: 'install a network plugin that enforces NetworkPolicies, or let the agent wall the pods of this machine with kubernetes.wall',
      }
    }),
  )
}

/** The count of a quota may be a pod behind while its controller is busy; what the next one finds counts the one that was taken. */
async function quota(cluster: Cluster, namespace: string): Promise<Check> {
  const secret = await cluster.get<V1Secret>(`/api/v1/namespaces/${namespace}/secrets/${APP}`)
  const pod: V1Pod | undefined = secret && podOf([secret])
  let refused = false
  for (const name of ['second', 'third']) refused ||= pod !== undefined && !(await isTaken(pod, name))
  return {
    name: 'quota',
    ok: refused,
    found: refused ? 'a pod more is refused' : 'two pods more are taken',
    fix: 'enable the ResourceQuota admission',
  }

  async function isTaken(like: V1Pod, name: string): Promise<boolean> {
    try {
      await cluster.create(`/api/v1/namespaces/${namespace}/pods`, { ...like, metadata: { ...like.metadata, name } } as never)
      return true
    } catch (error) {
      if (reasonOf(error).includes('exceeded quota')) return false
      throw error
    }
  }
}

async function disk(cluster: Cluster, namespace: string, app: RunSpec): Promise<Check> {
  const [folder] = app.volumes.map(({ path }) => path)
  const blocks = Math.ceil((2 * ALLOWANCE.diskBytes) / MIB)
  const full = (await run(cluster, namespace, `dd if=/dev/zero of=${folder}/full bs=1M count=${blocks} 2>/dev/null`)) !== 0
  return {
    name: 'disk',
    ok: full,
    found: full ? 'a volume grows no further than its size' : 'a volume grows beyond its size',
    fix: 'use a storage class whose volumes have a size of their own',
  }
}
