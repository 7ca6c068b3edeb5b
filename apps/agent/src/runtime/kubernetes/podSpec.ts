import type { V1Container, V1Pod, V1Secret } from '@kubernetes/client-node'
import { parseImage } from '@rackfair/app-spec/imageReference'
import { AGENTS_PATH, agentsVariable, TOOLS_PATH } from '../agentsFile.ts'
import { sharedMemoryOf } from '../engine/tenantLimits.ts'
import { fileMode, type OwnFile, type RunSpec } from '../RunSpec.ts'
import type { Workload } from '../Runtime.ts'
import type { KubernetesSettings } from './kubernetesSettings.ts'
import { APP, GATES, LABEL, partName, REGISTRY } from './names.ts'
import { gpuLimits, limitsOf } from './orderObjects.ts'
import { podShare } from './podShare.ts'

const DISK = 'disk'
const TOOLS = 'tools'
const FILES = 'files'
const SHARED_MEMORY = 'shm'
const TOOLS_BYTES = 32 * 2 ** 20
/** As long as podman gives an application before it is killed. */
export const STOP_SECONDS = 5
const POD = 'pod.json'
/** Of each of several services: its name, which it begins with once it may. */
const GATE = 'RACKFAIR_SERVICE'
/** What the hub is called in files of accounts. */
const DOCKER_HUB = 'https://index.docker.io/v1/'

export interface PodContext {
  instance: string
  image: string
  resolvers: readonly string[]
  settings: KubernetesSettings
}

/**
 * What is applied of an application: its environment and, under one key, the pod that each start makes of it. Nobody reads it but who may
 * read secrets.
 */
export function orderSecret(workload: Workload, context: PodContext): V1Secret {
  const env = { ...agentsVariable(workload), ...workload.app.env, ...workload.env }
  const values = Object.values(env).map((value, index) => [`v${index}`, base64(value)])
  const files = filesOf(workload).map(({ text }, index) => [`f${index}`, base64(text)])
  const pod = orderPod(workload, Object.keys(env), context)
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: partName(workload.app.service?.key) } },
    data: { ...Object.fromEntries(values), ...Object.fromEntries(files), [POD]: base64(JSON.stringify(pod)) },
  }
}

/** The renter's account at the registry of their image, as kubelets read it; undefined where they gave none. */
export function registrySecret({ app }: Workload): V1Secret | undefined {
  const account = app.own?.registry
  const registry = parseImage(app.image)?.registry
  if (!account || !registry) return undefined
  const auth = base64(`${account.username}:${account.password}`)
  const auths = { [registry === 'docker.io' ? DOCKER_HUB : registry]: { ...account, auth } }
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/dockerconfigjson', metadata: { name: registryName(app) } },
    data: { '.dockerconfigjson': base64(JSON.stringify({ auths })) },
  }
}

/** The pod that a start makes: one container of each part, the main one's first. */
export function podOf(secrets: readonly V1Secret[]): V1Pod {
  const [main, ...others] = secrets.map(({ data }) => JSON.parse(Buffer.from(data?.[POD] ?? '', 'base64').toString()) as V1Pod)
  if (!main?.spec) throw new Error('a pod of no parts')
  if (others.length === 0) return main
  const all = [main, ...others].flatMap(({ spec }) => spec ?? [])
  const named = <One extends { name?: string }>(ones: readonly One[]) => [...new Map(ones.map((one) => [one.name, one])).values()]
  const group = all.find(({ securityContext }) => securityContext?.fsGroup !== undefined)?.securityContext?.fsGroup
  const accounts = named(all.flatMap(({ imagePullSecrets }) => imagePullSecrets ?? []))
  return {
    ...main,
    spec: {
      ...main.spec,
      ...(accounts.length > 0 ? { imagePullSecrets: accounts } : {}),
      securityContext: { ...main.spec.securityContext, ...(group === undefined ? {} : { fsGroup: group }) },
      containers: all.flatMap(({ containers }) => containers),
      volumes: named(all.flatMap(({ volumes }) => volumes ?? [])),
    },
  }
}

/** What a cluster lets through its gate: the service begins with its name in its environment. */
export const gateOf = (service: string | undefined): Record<string, string> => ({
  [partName(service)]: base64(service ?? APP),
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')

function orderPod(workload: Workload, envNames: readonly string[], { instance, image, resolvers, settings }: PodContext): V1Pod {
  const { app, orderId } = workload
  const { service } = app
  const share = podShare(workload)
  const limits = { ...limitsOf(share), ...gpuLimits(share.allowance) }
  const part = partName(service?.key)
  const own = ofPart(app)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: APP, labels: { [LABEL.instance]: instance, [LABEL.order]: String(orderId) } },
    spec: {
      // The agent starts what ended, and says so. One of several is started again by its node: the others go on.
      restartPolicy: service ? 'OnFailure' : 'Never',
      ...(service ? { hostAliases: [{ ip: '127.0.0.1', hostnames: hostNames(service.names.flat()) }] } : {}),
      terminationGracePeriodSeconds: STOP_SECONDS,
      hostname: app.name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      dnsPolicy: 'None',
      dnsConfig: { nameservers: [...resolvers] },
      ...(app.own?.sandbox && settings.sandboxClass ? { runtimeClassName: settings.sandboxClass } : {}),
      ...(Object.keys(settings.nodeSelector).length > 0 ? { nodeSelector: settings.nodeSelector } : {}),
      ...(app.own?.registry ? { imagePullSecrets: [{ name: registryName(app) }] } : {}),
      securityContext: {
        runAsNonRoot: true,
        ...(app.volumes.length > 0 ? { fsGroup: app.gid } : {}),
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: part,
          image,
          imagePullPolicy: 'IfNotPresent',
          ...(app.command ? { command: app.command } : {}),
          ...(app.args ? { args: app.args } : {}),
          ...(app.workingDir ? { workingDir: app.workingDir } : {}),
          env: [
            ...envNames.map((name, index) => ({ name, valueFrom: { secretKeyRef: { name: part, key: `v${index}` } } })),
            ...(service ? [{ name: GATE, valueFrom: { secretKeyRef: { name: GATES, key: part } } }] : []),
          ],
          resources: { limits, requests: limits },
          securityContext: {
            ...userOf(app),
            allowPrivilegeEscalation: false,
            privileged: false,
            readOnlyRootFilesystem: !app.own,
            capabilities: { drop: ['ALL'], ...(app.addCapabilities.length > 0 ? { add: app.addCapabilities } : {}) },
          },
          volumeMounts: mountsOf(workload),
        },
      ],
      volumes: [
        { name: own(TOOLS), emptyDir: { sizeLimit: String(TOOLS_BYTES) } },
        { name: own(SHARED_MEMORY), emptyDir: { medium: 'Memory', sizeLimit: String(sharedMemoryOf(share)) } },
        ...app.tmpfs.map(({ sizeBytes }, index) => ({
          name: `memory-${index}`,
          emptyDir: { medium: 'Memory', sizeLimit: String(sizeBytes) },
        })),
        ...(filesOf(workload).length > 0 ? [{ name: own(FILES), secret: { secretName: part, items: fileItems(workload) } }] : []),
        ...(app.volumes.length > 0 ? [{ name: DISK, persistentVolumeClaim: { claimName: APP } }] : []),
      ],
    },
  }
}

/** A preset runs as who its recipe says, an own application as who it asks for, and else as its image does; none as root. */
function userOf({ own, uid, gid }: RunSpec): { runAsUser?: number; runAsGroup?: number } {
  if (!own) return { runAsUser: uid, runAsGroup: gid }
  const [user, group] = (own.user ?? '').split(':')
  const id = (text: string | undefined) => (text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined)
  const [runAsUser, runAsGroup] = [id(user), id(group)]
  return { ...(runAsUser === undefined ? {} : { runAsUser }), ...(runAsGroup === undefined ? {} : { runAsGroup }) }
}

/** What each of several services has for itself is called after its place. */
const ofPart =
  ({ service }: RunSpec) =>
  (name: string): string =>
    service ? `${name}-${service.place}` : name
const registryName = (app: RunSpec): string => ofPart(app)(REGISTRY)

/** A cluster takes no names with capitals, in which hosts do not differ, and none with an underscore. */
export const hostNames = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.toLowerCase()).filter((name) => /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name))),
]

const filesOf = ({ app: { own }, note }: Workload): readonly OwnFile[] => [
  ...(own?.files ?? []),
  ...(note === undefined ? [] : [{ path: AGENTS_PATH, text: note }]),
]
const fileItems = (workload: Workload) =>
  filesOf(workload).map((one, index) => ({ key: `f${index}`, path: `f${index}`, mode: fileMode(one) }))

const mountsOf = ({ app, ...workload }: Workload): NonNullable<V1Container['volumeMounts']> => [
  { name: ofPart(app)(TOOLS), mountPath: TOOLS_PATH },
  { name: ofPart(app)(SHARED_MEMORY), mountPath: '/dev/shm' },
  ...app.tmpfs.map(({ path }, index) => ({ name: `memory-${index}`, mountPath: path })),
  ...app.volumes.map(({ name, path }) => ({ name: DISK, mountPath: path, subPath: name })),
  ...filesOf({ app, ...workload }).map(({ path }, index) => ({
    name: ofPart(app)(FILES),
    mountPath: path,
    subPath: `f${index}`,
    readOnly: true,
  })),
]
