import type { V1Container, V1Pod, V1Secret } from '@kubernetes/client-node'
import { parseImage } from '@rackfair/app-spec/imageReference'
import { TOOLS_PATH } from '../engine/fileServer.ts'
import { sharedMemoryOf } from '../engine/tenantLimits.ts'
import { fileMode, type OwnFile, type RunSpec } from '../RunSpec.ts'
import type { Workload } from '../Runtime.ts'
import type { KubernetesSettings } from './kubernetesSettings.ts'
import { APP, LABEL, REGISTRY } from './names.ts'
import { gpuLimits, limitsOf } from './orderObjects.ts'

const DISK = 'disk'
const TOOLS = 'tools'
const FILES = 'files'
const SHARED_MEMORY = 'shm'
const TOOLS_BYTES = 32 * 2 ** 20
/** As long as podman gives an application before it is killed. */
export const STOP_SECONDS = 5
const POD = 'pod.json'
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
  const env = { ...workload.app.env, ...workload.env }
  const values = Object.values(env).map((value, index) => [`v${index}`, base64(value)])
  const files = filesOf(workload.app).map(({ text }, index) => [`f${index}`, base64(text)])
  const pod = orderPod(workload, Object.keys(env), context)
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: APP } },
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
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/dockerconfigjson', metadata: { name: REGISTRY } },
    data: { '.dockerconfigjson': base64(JSON.stringify({ auths })) },
  }
}

/** The pod that a start makes. */
export function podOf(secret: V1Secret): V1Pod {
  return JSON.parse(Buffer.from(secret.data?.[POD] ?? '', 'base64').toString()) as V1Pod
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

function orderPod(workload: Workload, envNames: readonly string[], { instance, image, resolvers, settings }: PodContext): V1Pod {
  const { app, orderId } = workload
  const limits = { ...limitsOf(workload), ...gpuLimits(workload.allowance) }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: APP, labels: { [LABEL.instance]: instance, [LABEL.order]: String(orderId) } },
    spec: {
      // The agent starts what ended, and says so.
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: STOP_SECONDS,
      hostname: app.name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      dnsPolicy: 'None',
      dnsConfig: { nameservers: [...resolvers] },
      ...(app.own?.sandbox && settings.sandboxClass ? { runtimeClassName: settings.sandboxClass } : {}),
      ...(Object.keys(settings.nodeSelector).length > 0 ? { nodeSelector: settings.nodeSelector } : {}),
      ...(app.own?.registry ? { imagePullSecrets: [{ name: REGISTRY }] } : {}),
      securityContext: {
        ...userOf(app),
        runAsNonRoot: true,
        ...(app.volumes.length > 0 ? { fsGroup: app.gid } : {}),
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: APP,
          image,
          imagePullPolicy: 'IfNotPresent',
          ...(app.command ? { command: app.command } : {}),
          ...(app.args ? { args: app.args } : {}),
          ...(app.workingDir ? { workingDir: app.workingDir } : {}),
          env: envNames.map((name, index) => ({ name, valueFrom: { secretKeyRef: { name: APP, key: `v${index}` } } })),
          resources: { limits, requests: limits },
          securityContext: {
            allowPrivilegeEscalation: false,
            privileged: false,
            readOnlyRootFilesystem: !app.own,
            capabilities: { drop: ['ALL'], ...(app.addCapabilities.length > 0 ? { add: app.addCapabilities } : {}) },
          },
          volumeMounts: mountsOf(app),
        },
      ],
      volumes: [
        { name: TOOLS, emptyDir: { sizeLimit: String(TOOLS_BYTES) } },
        { name: SHARED_MEMORY, emptyDir: { medium: 'Memory', sizeLimit: String(sharedMemoryOf(workload)) } },
        ...app.tmpfs.map(({ sizeBytes }, index) => ({
          name: `memory-${index}`,
          emptyDir: { medium: 'Memory', sizeLimit: String(sizeBytes) },
        })),
        ...(filesOf(app).length > 0 ? [{ name: FILES, secret: { secretName: APP, items: fileItems(app) } }] : []),
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

const filesOf = ({ own }: RunSpec): readonly OwnFile[] => own?.files ?? []
const fileItems = (app: RunSpec) =>
  filesOf(app).map((one, index) => ({ key: `f${index}`, path: `f${index}`, mode: fileMode(one) }))

const mountsOf = ({ tmpfs, volumes, own }: RunSpec): NonNullable<V1Container['volumeMounts']> => [
  { name: TOOLS, mountPath: TOOLS_PATH },
  { name: SHARED_MEMORY, mountPath: '/dev/shm' },
  ...tmpfs.map(({ path }, index) => ({ name: `memory-${index}`, mountPath: path })),
  ...volumes.map(({ name, path }) => ({ name: DISK, mountPath: path, subPath: name })),
  ...(own?.files ?? []).map(({ path }, index) => ({ name: FILES, mountPath: path, subPath: `f${index}`, readOnly: true })),
]
