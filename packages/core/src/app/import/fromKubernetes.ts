import { withUsualHttp } from './foreignPorts.ts'
import { isRecord, type Pasted, type Path, Reading, textOf } from './Reading.ts'

/** Reads a Kubernetes Deployment of one container, or a Job. */
export function fromKubernetes(value: unknown, lineOf: (path: Path) => number | undefined): Pasted {
  const reading = new Reading(lineOf)
  const isJob = isRecord(value) && value.kind === 'Job'
  const once = (_: unknown, path: Path) => reading.note(path, 'runs_once')
  const single = (one: unknown, path: Path) => (one === 1 ? undefined : reading.refuse(path, 'one_service'))
  const ignored = (_: unknown, path: Path) => reading.note(path, 'name_ignored')
  reading.fields(value, [], {
    apiVersion: (one, path) => (one === (isJob ? 'batch/v1' : 'apps/v1') ? undefined : reading.refuse(path, 'unsupported')),
    kind: (one, path) => {
      if (isJob) reading.take('job', 'keep', path)
      else if (one !== 'Deployment') reading.refuse(path, 'unsupported')
    },
    metadata: (one, path) =>
      reading.fields(one, path, { name: ignored, namespace: ignored, labels: ignored, annotations: ignored }),
    spec: (spec, at) =>
      reading.fields(spec, at, {
        ...(isJob
          ? { completions: single, parallelism: single, backoffLimit: once, ttlSecondsAfterFinished: once }
          : { replicas: single, strategy: ignored, revisionHistoryLimit: ignored }),
        selector: ignored,
        template: (template, where) =>
          reading.fields(template, where, { metadata: ignored, spec: (pod, path) => readPod(reading, pod, path, isJob) }),
      }),
  })
  reading.draft.ports = withUsualHttp(reading.draft.ports) ?? []
  return reading.end('kubernetes')
}

function readPod(reading: Reading, pod: unknown, at: Path, isJob: boolean): undefined {
  const mounts = new Map<string, Path>()
  const kept = new Set<string>()
  reading.fields(pod, at, {
    volumes: (volumes, path) => reading.each(volumes, path, (one, where) => readVolume(reading, one, where, kept)),
    containers: (containers, path) => {
      reading.each(containers, path, (one, where) => {
        if (where.at(-1) === 0) readContainer(reading, one, where, mounts)
        else reading.refuse(where, 'one_service')
      })
    },
    initContainers: (_, path) => reading.refuse(path, 'one_service'),
    restartPolicy: (_, path) => reading.note(path, isJob ? 'runs_once' : 'always_restarted'),
    securityContext: (one, path) => readSecurity(reading, one, path),
    serviceAccountName: (_, path) => reading.refuse(path, 'no_privilege'),
    hostNetwork: (_, path) => reading.refuse(path, 'no_privilege'),
    hostPID: (_, path) => reading.refuse(path, 'no_privilege'),
    hostIPC: (_, path) => reading.refuse(path, 'no_privilege'),
    nodeSelector: (_, path) => reading.note(path, 'machine_decides'),
    tolerations: (_, path) => reading.note(path, 'machine_decides'),
    runtimeClassName: (one, path) =>
      one === 'gvisor' ? reading.take('sandbox', one, path) : reading.note(path, 'machine_decides'),
    terminationGracePeriodSeconds: (_, path) => reading.note(path, 'machine_decides'),
    automountServiceAccountToken: (one, path) => (one === false ? undefined : reading.refuse(path, 'no_privilege')),
  })
  for (const [name, path] of mounts) if (!kept.has(name)) reading.refuse(path, 'missing')
}

function readVolume(reading: Reading, volume: unknown, at: Path, kept: Set<string>): undefined {
  const onDisk = (_: unknown, path: Path) => reading.note(path, 'one_disk')
  reading.fields(volume, at, {
    name: (one) => void kept.add(textOf(one)),
    emptyDir: onDisk,
    persistentVolumeClaim: onDisk,
    hostPath: (_, path) => reading.refuse(path, 'host_path'),
  })
}

function readContainer(reading: Reading, container: unknown, at: Path, mounts: Map<string, Path>): undefined {
  const words = (field: 'command' | 'args') => (value: unknown, path: Path) => {
    // Kubernetes would substitute the value of a variable.
    if (Array.isArray(value))
      value.forEach((word, index) => {
        if (/\$\(\w+\)/.test(textOf(word))) reading.refuse([...path, index], 'unsupported')
      })
    reading.take(field, value, path)
  }
  let ready: string | undefined
  reading.fields(container, at, {
    name: (_, path) => reading.note(path, 'name_ignored'),
    image: (one, path) => reading.take('image', one, path),
    imagePullPolicy: (_, path) => reading.note(path, 'machine_decides'),
    command: words('command'),
    args: words('args'),
    workingDir: (one, path) => reading.take('workdir', one, path),
    env: (env, path) => reading.each(env, path, (one, where) => readEnv(reading, one, where)),
    ports: (ports, path) => reading.each(ports, path, (one, where) => readPort(reading, one, where)),
    resources: (_, path) => reading.note(path, 'machine_decides'),
    securityContext: (one, path) => readSecurity(reading, one, path),
    readinessProbe: (probe, path) => {
      const get = isRecord(probe) && isRecord(probe.httpGet) ? probe.httpGet : undefined
      if (typeof get?.path === 'string') ready = get.path
      else reading.note(path, 'probe_ignored')
    },
    livenessProbe: (_, path) => reading.note(path, 'probe_ignored'),
    startupProbe: (_, path) => reading.note(path, 'probe_ignored'),
    volumeMounts: (list, path) =>
      reading.each(list, path, (one, where) =>
        reading.fields(one, where, {
          name: (name, nameAt) => void mounts.set(textOf(name), nameAt),
          mountPath: (mount) => reading.add('volumes', mount, where),
          readOnly: (isReadOnly, there) => (isReadOnly === false ? undefined : reading.refuse(there, 'unsupported')),
        }),
      ),
  })
  if (ready === undefined) return
  const ports = withUsualHttp(reading.draft.ports)
  reading.draft.ports = ports?.map((one) => (one.protocol === 'http' ? { ...one, ready: ready as string } : one)) ?? []
}

function readEnv(reading: Reading, entry: unknown, at: Path): undefined {
  const name = isRecord(entry) ? textOf(entry.name) : ''
  // Kubernetes takes a missing value as an empty one.
  let value: unknown = isRecord(entry) && entry.valueFrom === undefined ? '' : undefined
  let isSecret = false
  reading.fields(entry, at, {
    name: () => {},
    value: (one) => {
      value = one
    },
    valueFrom: (source, path) =>
      reading.fields(source, path, {
        secretKeyRef: () => {
          isSecret = true
        },
      }),
  })
  if (isSecret) return reading.addSecret(name, at)
  if (value !== undefined && typeof value !== 'string') return reading.refuse([...at, 'value'], 'invalid')
  if (/\$\(\w+\)/.test(value ?? '')) return reading.refuse([...at, 'value'], 'unsupported')
  if (value !== undefined) reading.addEnv(name, value, at)
}

function readPort(reading: Reading, entry: unknown, at: Path): undefined {
  let port: unknown
  let protocol = 'tcp'
  reading.fields(entry, at, {
    containerPort: (one) => {
      port = one
    },
    name: (one) => {
      if (/^http(?!s)/.test(textOf(one)) && protocol === 'tcp') protocol = 'http'
    },
    protocol: (one, path) => {
      if (one === 'UDP') protocol = 'udp'
      else if (one !== 'TCP') reading.refuse(path, 'unsupported')
    },
    hostPort: (_, path) => reading.note(path, 'outside_port'),
  })
  reading.add('ports', { protocol, port }, at)
}

function readSecurity(reading: Reading, context: unknown, at: Path): undefined {
  const walled = (_: unknown, path: Path) => reading.note(path, 'walls')
  const onlyFalse = (one: unknown, path: Path) => (one === false ? undefined : reading.refuse(path, 'no_privilege'))
  let user: unknown
  let group: unknown
  reading.fields(context, at, {
    runAsUser: (one) => {
      user = one
    },
    runAsGroup: (one) => {
      group = one
    },
    fsGroup: walled,
    runAsNonRoot: walled,
    seccompProfile: walled,
    readOnlyRootFilesystem: (one, path) => (one === false ? undefined : reading.refuse(path, 'unsupported')),
    allowPrivilegeEscalation: onlyFalse,
    privileged: onlyFalse,
    capabilities: (one, path) =>
      reading.fields(one, path, { drop: walled, add: (_, where) => reading.refuse(where, 'no_privilege') }),
  })
  if (user !== undefined) reading.take('user', group === undefined ? textOf(user) : `${textOf(user)}:${textOf(group)}`, at)
}
