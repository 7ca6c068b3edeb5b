import type { AppPort } from '../AppSpec.ts'
import { isReadyPath } from '../parseAppSpec.ts'
import { isNotPublic, withUsualHttp } from './foreignPorts.ts'
import { isFilePath, takeMount } from './foreignVolumes.ts'
import type { KubernetesObject } from './kubernetesObjects.ts'
import { expandReferences } from './kubernetesReferences.ts'
import type { Path } from './paths.ts'
import { Plain } from './plain.ts'
import { type Handlers, isRecord, type Reading, saysNothing, textOf } from './Reading.ts'
import { isUnknown, unknownValue } from './unknownValue.ts'

interface PodContext {
  isJob: boolean
  /** Names of the volumes that a StatefulSet claims. */
  claims: ReadonlySet<string>
  objects: readonly KubernetesObject[]
  labels: Readonly<Record<string, string>>
}

type VolumeKind = 'disk' | 'host' | 'files' | { memory: string } | { refused: true } | FilesOf
/** The files of a ConfigMap or a Secret, which may stand in the same text or not. */
interface FilesOf {
  kind: 'ConfigMap' | 'Secret'
  object: string
  /** Names of its values by the paths that they are given; undefined for all of them by their own names. */
  items: ReadonlyMap<string, string> | undefined
}
interface Mount {
  name: string
  path: string
  isReadOnly: boolean
  isPart: boolean
  /** Which part of it, as far as that is written. */
  part: string
  at: Path
}
/** User and group of a pod or a container, and where they stand. */
interface Identity {
  user?: [text: string, at: Path]
  group?: [text: string, at: Path]
}

export function readPod(reading: Reading, pod: unknown, at: Path, context: PodContext): undefined {
  const { isJob, claims } = context
  const volumes = new Map<string, VolumeKind>([...claims].map((name) => [name, 'disk']))
  const mounts: Mount[] = []
  const ofPod: Identity = {}
  const ofContainer: Identity = {}
  let container: [value: unknown, at: Path] | undefined
  const handlers: Handlers = {
    volumes: (list, path) => reading.each(list, path, (one, where) => readVolume(reading, one, where, volumes)),
    containers: (list, path) =>
      reading.each(list, path, (one, where) => {
        if (where.at(-1) === 0) container = [one, where]
        else if (where.at(-1) === 1) reading.refuse(where, 'one_service')
      }),
    initContainers: 'otherContainer',
    ephemeralContainers: 'otherContainer',
    restartPolicy: (_, path) => {
      if (!isJob) return reading.settle('restart', 'Always', path)
      reading.take('job', 'keep', path)
      reading.settle('once', 'Never', path)
    },
    securityContext: (one, path) => readSecurity(reading, one, path, ofPod),
    serviceAccountName: reading.unless('account', 'default'),
    serviceAccount: reading.unless('account', 'default'),
    automountServiceAccountToken: () => {},
    hostNetwork: 'privilege',
    hostPID: 'privilege',
    hostIPC: (one, path) => (saysNothing(one) ? undefined : reading.settle('ipc', 'host', path)),
    hostUsers: () => {},
    shareProcessNamespace: () => {},
    hostname: 'label',
    subdomain: 'label',
    setHostnameAsFQDN: 'label',
    hostAliases: 'names',
    dnsConfig: 'names',
    dnsPolicy: reading.unless('names', 'ClusterFirst', 'Default'),
    enableServiceLinks: () => {},
    schedulerName: reading.unless('scheduling', 'default-scheduler'),
    nodeSelector: 'scheduling',
    nodeName: 'scheduling',
    affinity: 'scheduling',
    tolerations: 'scheduling',
    topologySpreadConstraints: 'scheduling',
    priority: reading.unless('scheduling', '0'),
    priorityClassName: 'scheduling',
    preemptionPolicy: reading.unless('scheduling', 'PreemptLowerPriority'),
    schedulingGates: 'scheduling',
    resourceClaims: 'resources',
    resources: 'resources',
    overhead: 'resources',
    readinessGates: 'health',
    os: 'platform',
    runtimeClassName: (one, path) =>
      textOf(one) === 'gvisor' ? reading.take('sandbox', 'gvisor', path) : reading.settle('platform', one, path),
    terminationGracePeriodSeconds: reading.unless('stop', '30'),
    activeDeadlineSeconds: 'once',
    imagePullSecrets: (one, path) => (saysNothing(one) ? undefined : reading.note(path, 'name_registry')),
  }
  reading.fields(pod, at, handlers)
  if (!container) return reading.isRefused ? undefined : reading.refuse([...at, 'containers'], 'missing')
  readContainer(reading, container[0], container[1], { mounts, identity: ofContainer, context })
  for (const mount of mounts) takeVolume(reading, mount, volumes.get(mount.name), context)
  takeIdentity(reading, { ...ofPod, ...ofContainer })
}

const VOLUME_KINDS: Readonly<Record<string, VolumeKind>> = {
  ...{ persistentVolumeClaim: 'disk', ephemeral: 'disk', hostPath: 'host', configMap: 'files', secret: 'files' },
  ...{ downwardAPI: 'files', projected: 'files', gitRepo: 'files', image: 'files', nfs: 'host' },
  ...{ gcePersistentDisk: 'host', awsElasticBlockStore: 'host', azureDisk: 'host', azureFile: 'host', cephfs: 'host' },
  ...{ glusterfs: 'host', iscsi: 'host', rbd: 'host', fc: 'host', csi: 'host', flexVolume: 'host', cinder: 'host' },
  ...{ vsphereVolume: 'host', portworxVolume: 'host', scaleIO: 'host', storageos: 'host', quobyte: 'host', local: 'host' },
}

function readVolume(reading: Reading, volume: unknown, at: Path, volumes: Map<string, VolumeKind>): undefined {
  if (!isRecord(volume)) return reading.refuse(at, 'invalid')
  const name = textOf(volume.name)
  // A volume without a kind is an empty folder.
  volumes.set(name, 'disk')
  for (const [kind, one] of Object.entries(volume)) {
    if (kind === 'name' || one === null) continue
    if (kind === 'emptyDir')
      volumes.set(name, isRecord(one) && textOf(one.medium) === 'Memory' ? { memory: textOf(one.sizeLimit) } : 'disk')
    else if (
      kind === 'hostPath' &&
      isRecord(one) &&
      /\.sock$|^\/(?:|proc|sys|dev(?!\/shm)|boot)(?:\/|$)/.test(textOf(one.path))
    ) {
      volumes.set(name, { refused: true })
      reading.refuse([...at, kind], 'host_path')
    } else if ((kind === 'configMap' || kind === 'secret') && isRecord(one))
      volumes.set(name, {
        kind: kind === 'secret' ? 'Secret' : 'ConfigMap',
        object: textOf(one.name ?? one.secretName),
        items: Array.isArray(one.items)
          ? new Map(one.items.flatMap((item) => (isRecord(item) ? [[textOf(item.path), textOf(item.key)]] : [])))
          : undefined,
      })
    else if (Object.hasOwn(VOLUME_KINDS, kind)) volumes.set(name, VOLUME_KINDS[kind] ?? 'disk')
    else reading.refuse([...at, kind], 'unsupported')
  }
}

function takeVolume(reading: Reading, mount: Mount, kind: VolumeKind | undefined, context: PodContext): undefined {
  const { path, isReadOnly, isPart, at } = mount
  if (kind === undefined) return reading.refuse([...at, 'name'], 'missing')
  if (typeof kind === 'object' && 'refused' in kind) return
  if (typeof kind === 'object' && 'object' in kind) return takeFiles(reading, mount, kind, context)
  const isHost = kind === 'host' || kind === 'files'
  // A part of a volume is a folder in it, a part of a map of files is one of them.
  if (isPart && kind === 'files' && isOneFile(path)) return reading.takeFile(path, path, at)
  takeMount(
    reading,
    {
      source: '',
      target: path,
      isHost,
      isReadOnly: isReadOnly && !isHost,
      isPart: isPart && isHost,
      ...(typeof kind === 'object' ? { isMemory: true, size: { text: kind.memory, thousands: 1000 } as const } : {}),
    },
    at,
  )
}

const isOneFile = (path: string): boolean => isFilePath(path) || /\/[^/.]+$/.test(path)

/** Each file of a map becomes one of the application, at its place in the folder that the map is mounted at. */
function takeFiles(reading: Reading, mount: Mount, { kind, object, items }: FilesOf, { objects }: PodContext): undefined {
  const { path, isPart, part, at } = mount
  const known = valuesOf(objects, kind, object)
  const keyAt = (place: string) => (items ? items.get(place) : place)
  const take = (key: string, target: string): undefined => {
    const name = `${kind.toLowerCase()}/${object}/${key}`
    const value = known?.[key]
    if (kind === 'Secret') return reading.addSecretFile(target, `${object}/${key}`, value, at)
    return value === undefined ? reading.takeFile(name, target, at) : reading.addFile(target, value, at)
  }
  if (isPart) {
    const key = part === '' ? undefined : keyAt(part)
    if (key !== undefined && (isOneFile(path) || known?.[key] !== undefined)) return take(key, path)
    if (isOneFile(path)) return reading.takeFile(path, path, at)
  }
  const places = items ? [...items.keys()] : Object.keys(known ?? {})
  if (isPart || places.length === 0) return takeMount(reading, { source: '', target: path, isHost: true, isReadOnly: false }, at)
  for (const place of places) take(keyAt(place) ?? place, `${path.replace(/\/+$/, '')}/${place}`)
  reading.note(at, 'files_beside')
}

interface ContainerContext {
  mounts: Mount[]
  identity: Identity
  context: PodContext
}

function readContainer(
  reading: Reading,
  container: unknown,
  at: Path,
  { mounts, identity, context }: ContainerContext,
): undefined {
  const names = new Map<string, number>()
  let probe: [value: unknown, at: Path] | undefined
  const words = new Map<'command' | 'args', [value: unknown, at: Path]>()
  const env: [value: unknown, at: Path][] = []
  const from: [value: unknown, at: Path][] = []
  reading.fields(container, at, {
    name: 'label',
    image: (one, path) => reading.take('image', one, path),
    imagePullPolicy: reading.unless('pull', 'IfNotPresent'),
    command: (one, path) => void words.set('command', [one, path]),
    args: (one, path) => void words.set('args', [one, path]),
    workingDir: (one, path) => (one === '' ? undefined : reading.take('workdir', one, path)),
    env: (list, path) => reading.each(list, path, (one, where) => void env.push([one, where])),
    envFrom: (list, path) => reading.each(list, path, (one, where) => void from.push([one, where])),
    ports: (list, path) => reading.each(list, path, (one, where) => readPort(reading, one, where, names)),
    resources: 'resources',
    resizePolicy: 'resources',
    securityContext: (one, path) => readSecurity(reading, one, path, identity),
    readinessProbe: (one, path) => {
      probe = [one, path]
    },
    livenessProbe: 'health',
    startupProbe: 'health',
    lifecycle: 'unsupported',
    terminationMessagePath: () => {},
    terminationMessagePolicy: () => {},
    stdin: 'attachment',
    stdinOnce: 'attachment',
    tty: 'attachment',
    restartPolicy: 'restart',
    volumeDevices: 'device',
    volumeMounts: (list, path) => reading.each(list, path, (one, where) => readMount(reading, one, where, mounts)),
  })
  for (const [one, where] of from) readEnvFrom(reading, one, where, context)
  for (const [one, where] of env) readEnv(reading, one, where, context)
  for (const [field, [value, path]] of words) takeWords(reading, field, value, path)
  addServicePorts(reading, at, context)
  takeProbe(reading, probe, names)
}

function readMount(reading: Reading, mount: unknown, at: Path, mounts: Mount[]): undefined {
  const read: Mount = { name: '', path: '', isReadOnly: false, isPart: false, part: '', at }
  reading.fields(mount, at, {
    name: (one) => {
      read.name = textOf(one)
    },
    mountPath: (one) => {
      read.path = textOf(one)
    },
    readOnly: (one) => {
      read.isReadOnly = !saysNothing(one)
    },
    recursiveReadOnly: () => {},
    subPath: (one) => {
      read.isPart = !saysNothing(one)
      read.part = textOf(one)
    },
    subPathExpr: (one) => {
      read.isPart = !saysNothing(one)
    },
    mountPropagation: 'walls',
  })
  if (isRecord(mount)) mounts.push(read)
}

/** Kubernetes takes an empty list for none, and fills in the values of variables. */
function takeWords(reading: Reading, field: 'command' | 'args', value: unknown, path: Path): undefined {
  if (saysNothing(value)) return
  if (!Array.isArray(value)) return reading.take(field, value, path)
  const filled = value.map((word: unknown, index) => {
    if (typeof word !== 'string') return word
    const text = expandReferences(word, (name) => knownValue(reading, name))
    if (isUnknown(text)) reading.refuse([...path, index], 'no_value')
    return text
  })
  if (!filled.some((word) => typeof word === 'string' && isUnknown(word))) reading.take(field, filled, path)
}

function knownValue({ draft }: Reading, name: string): string | undefined {
  if (draft.secrets?.includes(name)) return unknownValue(`$(${name})`)
  return Object.hasOwn(draft.env ?? {}, name) ? draft.env?.[name] : undefined
}

function readEnv(reading: Reading, entry: unknown, at: Path, { objects }: PodContext): undefined {
  if (!isRecord(entry)) return reading.refuse(at, 'invalid')
  if (typeof entry.name !== 'string') return reading.refuse(at, 'invalid')
  const { name } = entry
  // A missing value is an empty one.
  let value: unknown = ''
  let source: [value: unknown, at: Path] | undefined
  reading.fields(entry, at, {
    name: () => {},
    value: (one) => {
      value = one
    },
    valueFrom: (one, path) => {
      source = [one, path]
    },
  })
  if (source) {
    const [from, path] = source
    let reference: unknown
    let kind = 'ConfigMap' as FilesOf['kind']
    const refersTo =
      (its: FilesOf['kind']) =>
      (one: unknown): undefined => {
        reference = one
        kind = its
      }
    reading.fields(from, path, {
      secretKeyRef: refersTo('Secret'),
      configMapKeyRef: refersTo('ConfigMap'),
      fieldRef: () => {},
      resourceFieldRef: () => {},
      fileKeyRef: () => {},
    })
    const known = isRecord(reference) ? valuesOf(objects, kind, reference.name)?.[textOf(reference.key)] : undefined
    // Only the cluster, or who made its objects, knows the value.
    if (known === undefined) return reading.addSecret(name, at)
    return kind === 'Secret' ? reading.addSealed(name, known, at) : reading.addEnv(name, known, at)
  }
  if (typeof value !== 'string') return reading.refuse([...at, 'value'], 'invalid')
  const filled = expandReferences(value, (one) => knownValue(reading, one))
  reading.addEnv(name, filled, at)
}

/** The values of a ConfigMap or a Secret that stands in the same text. */
function valuesOf(
  objects: readonly KubernetesObject[],
  wanted: FilesOf['kind'],
  name: unknown,
): Record<string, string> | undefined {
  const found = objects.find(({ kind, value }) => kind === wanted && isRecord(value.metadata) && value.metadata.name === name)
  if (!found) return undefined
  const textsOf = (data: unknown): [string, string][] =>
    Object.entries(isRecord(data) ? data : {}).filter((one): one is [string, string] => typeof one[1] === 'string')
  const { data, stringData } = found.value
  if (wanted === 'ConfigMap') return isRecord(data) ? Object.fromEntries(textsOf(data)) : undefined
  const decoded = textsOf(data).flatMap(([key, text]): [string, string][] => {
    const plain = decodedText(text)
    return plain === undefined ? [] : [[key, plain]]
  })
  return Object.fromEntries([...decoded, ...textsOf(stringData)])
}

/** What is written in base64; undefined for what is no text. */
function decodedText(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64.replace(/\s/g, '')), (one) => one.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function readEnvFrom(reading: Reading, entry: unknown, at: Path, { objects }: PodContext): undefined {
  let prefix = ''
  const sources: ['ConfigMap' | 'Secret', unknown, Path][] = []
  reading.fields(entry, at, {
    prefix: (one) => {
      prefix = textOf(one)
    },
    configMapRef: (one, path) => void sources.push(['ConfigMap', one, path]),
    secretRef: (one, path) => void sources.push(['Secret', one, path]),
  })
  for (const [kind, reference, path] of sources) {
    if (!isRecord(reference)) return reading.refuse(path, 'invalid')
    if (kind === 'ConfigMap') {
      const values = valuesOf(objects, kind, reference.name)
      if (values) for (const [name, value] of Object.entries(values)) reading.addEnv(`${prefix}${name}`, value, path)
      else reading.addValuesFile(`configmap/${textOf(reference.name)}`, path)
      continue
    }
    const known = valuesOf(objects, kind, reference.name)
    const secret = objects.find(
      (one) => one.kind === kind && isRecord(one.value.metadata) && one.value.metadata.name === reference.name,
    )
    const names = [secret?.value.data, secret?.value.stringData].flatMap((data) => (isRecord(data) ? Object.keys(data) : []))
    for (const name of new Set(names)) {
      const value = known?.[name]
      if (value === undefined) reading.addSecret(`${prefix}${name}`, path)
      else reading.addSealed(`${prefix}${name}`, value, path)
    }
    if (names.length === 0) reading.addValuesFile(`secret/${textOf(reference.name)}`, path)
    else if (known) reading.note(path, 'values_sealed')
  }
}

function readPort(reading: Reading, entry: unknown, at: Path, names: Map<string, number>): undefined {
  let port: unknown
  let name = ''
  let protocol: AppPort['protocol'] = 'tcp'
  let isClosed = false
  let isRight = true
  reading.fields(entry, at, {
    containerPort: (one) => {
      port = one instanceof Plain ? one.value : one
    },
    name: (one) => {
      name = textOf(one)
    },
    protocol: (one, path) => {
      if (textOf(one) === 'UDP') protocol = 'udp'
      else if (textOf(one) !== 'TCP') {
        isRight = false
        reading.refuse(path, 'unsupported')
      }
    },
    hostPort: 'hostPort',
    hostIP: (one, path) => {
      if (!isNotPublic(textOf(one))) return
      isClosed = true
      reading.note(path, 'closed_port')
    },
  })
  if (!isRecord(entry) || !isRight) return
  if (typeof port === 'number' && name !== '') names.set(name, port)
  if (isClosed) return
  // A second one of this kind is for another program, such as a collector of metrics.
  const isPage =
    protocol === 'tcp' && /^(?:http|web|ui)(?:$|[^s])/.test(name) && !reading.draft.ports?.some((one) => one.protocol === 'http')
  reading.addPort({ protocol: isPage ? 'http' : protocol, port: port as number }, at)
}

/** A container need not name its ports: those of the Service that leads to it are its own. */
function addServicePorts(reading: Reading, at: Path, { objects, labels }: PodContext): undefined {
  if (reading.draft.ports !== undefined) return
  for (const { kind, value } of objects) {
    const spec = kind === 'Service' && isRecord(value.spec) ? value.spec : undefined
    const selector = spec?.selector
    if (!spec || !isRecord(selector) || saysNothing(selector) || !Array.isArray(spec.ports)) continue
    if (!Object.entries(selector).every(([name, one]) => labels[name] === textOf(one))) continue
    for (const one of spec.ports) {
      if (!isRecord(one)) continue
      const target = one.targetPort ?? one.port
      if (!(target instanceof Plain) || typeof target.value !== 'number') continue
      reading.addPort({ protocol: textOf(one.protocol) === 'UDP' ? 'udp' : 'tcp', port: target.value }, at)
    }
  }
}

/** Takes a readiness probe that asks the page for a path over HTTP; another is replaced by the provider's own. */
function takeProbe(
  reading: Reading,
  probe: [value: unknown, at: Path] | undefined,
  names: ReadonlyMap<string, number>,
): undefined {
  if (!probe || saysNothing(probe[0])) return
  const [value, at] = probe
  const get = isRecord(value) && isRecord(value.httpGet) ? value.httpGet : undefined
  const port =
    get?.port instanceof Plain ? get.port.value : (names.get(textOf(get?.port)) ?? Number(textOf(get?.port) || Number.NaN))
  const path = get?.path === undefined || get.path === null || get.path === '' ? '/' : get.path
  const isPlain =
    get !== undefined &&
    typeof path === 'string' &&
    isReadyPath(path) &&
    /^(?:|HTTP)$/.test(textOf(get.scheme)) &&
    saysNothing(get.host ?? null) &&
    saysNothing(get.httpHeaders ?? null)
  const ports = reading.draft.ports ?? []
  // Where no port is called HTTP, the one that is asked for a page is.
  const asked = ports.find((one) => one.protocol !== 'udp' && one.port === port)
  const page =
    ports.find((one) => one.protocol === 'http') ?? asked ?? withUsualHttp(ports)?.find((one) => one.protocol === 'http')
  if (!isPlain || !asked || page?.port !== asked.port) return reading.note(at, 'probe_ignored')
  reading.draft.ports = ports.map((one) => (one === asked ? { ...one, protocol: 'http', ready: path } : one))
}

function readSecurity(reading: Reading, context: unknown, at: Path, identity: Identity): undefined {
  reading.fields(context, at, {
    runAsUser: (one, path) => {
      identity.user = [textOf(one), path]
    },
    runAsGroup: (one, path) => {
      identity.group = [textOf(one), path]
    },
    fsGroup: 'walls',
    fsGroupChangePolicy: 'walls',
    supplementalGroups: 'groups',
    supplementalGroupsPolicy: 'groups',
    runAsNonRoot: 'walls',
    seccompProfile: 'walls',
    appArmorProfile: 'walls',
    seLinuxOptions: 'walls',
    seLinuxChangePolicy: 'walls',
    procMount: reading.unless('privilege', 'Default'),
    sysctls: 'privilege',
    windowsOptions: 'unsupported',
    readOnlyRootFilesystem: 'readOnly',
    allowPrivilegeEscalation: 'account',
    privileged: 'privilege',
    capabilities: (one, path) => reading.fields(one, path, { drop: 'walls', add: 'capability' }),
  })
}

/** What the container says of itself counts before what the pod says of all, user and group each. */
function takeIdentity(reading: Reading, { user, group }: Identity): undefined {
  if (user) return reading.take('user', group ? `${user[0]}:${group[0]}` : user[0], user[1])
  // Without the user of the image, a group alone cannot be said.
  if (group) reading.settle('groups', group[0], group[1])
}
