import type { Beside } from './Beside.ts'
import { withUsualHttp } from './foreignPorts.ts'
import { type KubernetesObject, objectsOf } from './kubernetesObjects.ts'
import { readPod } from './kubernetesPod.ts'
import type { Path } from './paths.ts'
import { type Handlers, isRecord, type Pasted, Reading, saysNothing, textOf } from './Reading.ts'
import type { Setting } from './settings.ts'

/** Kinds that start containers, and the API groups that have them. */
const WORKLOADS: Readonly<Record<string, RegExp>> = {
  Pod: /^v1$/,
  ReplicationController: /^v1$/,
  Deployment: /^(?:apps|extensions)\//,
  ReplicaSet: /^(?:apps|extensions)\//,
  StatefulSet: /^apps\//,
  DaemonSet: /^(?:apps|extensions)\//,
  Job: /^batch\//,
  CronJob: /^batch\//,
}

/** Kinds that stand beside a workload: how it is reached, stored, named and scaled in a cluster. */
const BESIDE: Readonly<Record<string, Setting>> = {
  ...{
    Service: 'network',
    Ingress: 'network',
    IngressClass: 'network',
    Gateway: 'network',
    HTTPRoute: 'network',
    Endpoints: 'network',
  },
  ...{
    ConfigMap: 'label',
    Secret: 'label',
    Namespace: 'label',
    PersistentVolumeClaim: 'resources',
    PersistentVolume: 'resources',
  },
  ...{ StorageClass: 'resources', PriorityClass: 'scheduling', ResourceQuota: 'resources', LimitRange: 'resources' },
  ...{ HorizontalPodAutoscaler: 'rollout', PodDisruptionBudget: 'rollout', RuntimeClass: 'scheduling' },
  ...{
    ServiceAccount: 'account',
    Role: 'account',
    RoleBinding: 'account',
    ClusterRole: 'account',
    ClusterRoleBinding: 'account',
  },
}

/** Reads what kubectl takes and prints: one workload of one container, in any number of documents and in any order. */
export function fromKubernetes(
  documents: readonly unknown[],
  lineOf: (path: Path, document: number) => number | undefined,
  beside: Beside = {},
): Pasted {
  let document = 0
  /** Other objects are shown by kind and name. */
  const lines = new Map<string, number | undefined>()
  const reading = new Reading((path) => lines.get(String(path[0])) ?? lineOf(path, document), { beside })
  const objects = documents.flatMap((value, index) => objectsOf(value, [], index))
  const workloads = objects.filter(({ kind }) => Object.hasOwn(WORKLOADS, kind))
  const [workload, second] = workloads
  for (const one of objects) {
    if (one === workload) continue
    const name = isRecord(one.value.metadata) ? textOf(one.value.metadata.name) : ''
    const shown = `${one.kind || `document ${one.document + 1}`} ${name}`.trim().slice(0, 120)
    lines.set(shown, lineOf(one.path, one.document))
    const setting = Object.hasOwn(BESIDE, one.kind) ? BESIDE[one.kind] : undefined
    if (one === second) reading.refuse([shown], 'one_service')
    else if (setting) reading.settle(setting, one.kind, [shown])
    else if (!workloads.includes(one)) reading.refuse([shown], 'unsupported')
  }
  if (workload) {
    document = workload.document
    readWorkload(reading, workload, objects)
  }
  reading.draft.ports = withUsualHttp(reading.draft.ports) ?? []
  return reading.end('kubernetes')
}

/** What a cluster writes. */
const nothing = (): undefined => undefined
const metadata = (reading: Reading): Handlers => ({
  ...{
    name: 'label',
    namespace: reading.unless('label', 'default'),
    labels: 'label',
    annotations: 'label',
    generateName: 'label',
  },
  ...{ creationTimestamp: nothing, deletionTimestamp: nothing, deletionGracePeriodSeconds: nothing, finalizers: nothing },
  ...{ generation: nothing, managedFields: nothing, ownerReferences: nothing, resourceVersion: nothing, selfLink: nothing },
  ...{ uid: nothing, clusterName: nothing },
})
const controller = (reading: Reading): Handlers => ({
  ...{ selector: 'label', serviceName: 'label', strategy: 'rollout', updateStrategy: 'rollout', ordinals: 'rollout' },
  revisionHistoryLimit: reading.unless('rollout', '10'),
  progressDeadlineSeconds: reading.unless('rollout', '600'),
  minReadySeconds: reading.unless('rollout', '0'),
  podManagementPolicy: reading.unless('rollout', 'OrderedReady'),
  ...{ paused: 'rollout', persistentVolumeClaimRetentionPolicy: 'resources', volumeClaimTemplates: 'resources' },
  templateGeneration: nothing,
})

function readWorkload(
  reading: Reading,
  { kind, value, path }: KubernetesObject,
  objects: readonly KubernetesObject[],
): undefined {
  const version = textOf(value.apiVersion)
  if (value.apiVersion !== undefined && !WORKLOADS[kind]?.test(version)) reading.refuse([...path, 'apiVersion'], 'unsupported')
  const claims = claimTemplates(value)
  const pod = (spec: unknown, at: Path, isJob: boolean): undefined =>
    readPod(reading, spec, at, { isJob, claims, objects, labels: labelsOf(value) })
  const template =
    (isJob: boolean) =>
    (one: unknown, at: Path): undefined =>
      reading.fields(one, at, { metadata: 'label', spec: (spec, where) => pod(spec, where, isJob) })
  const object: Handlers = {
    apiVersion: nothing,
    kind: nothing,
    status: nothing,
    metadata: (one, at) => reading.fields(one, at, metadata(reading)),
  }
  const copies = (one: unknown, at: Path): undefined => (textOf(one) === '1' ? undefined : reading.note(at, 'one_copy'))
  const single = (one: unknown, at: Path): undefined => (textOf(one) === '1' ? undefined : reading.refuse(at, 'one_service'))
  const job: Handlers = {
    ...{ completions: single, parallelism: single, backoffLimit: 'once', ttlSecondsAfterFinished: 'once' },
    ...{ activeDeadlineSeconds: 'once', completionMode: reading.unless('once', 'NonIndexed'), manualSelector: 'label' },
    podReplacementPolicy: reading.unless('once', 'TerminatingOrFailed'),
    ...{ selector: 'label', suspend: 'unsupported', podFailurePolicy: 'once', template: template(true) },
  }
  switch (kind) {
    case 'Pod':
      // A pod that is not started anew after its end is a job.
      return reading.fields(value, path, { ...object, spec: (spec, at) => pod(spec, at, isRecord(spec) && endsOnce(spec)) })
    case 'Job':
      reading.take('job', 'keep', path)
      return reading.fields(value, path, { ...object, spec: (spec, at) => reading.fields(spec, at, job) })
    case 'CronJob':
      reading.take('job', 'keep', path)
      return reading.fields(value, path, {
        ...object,
        spec: (spec, at) =>
          reading.fields(spec, at, {
            ...{
              schedule: 'once',
              timeZone: 'once',
              concurrencyPolicy: reading.unless('once', 'Allow'),
              startingDeadlineSeconds: 'once',
            },
            ...{ successfulJobsHistoryLimit: 'once', failedJobsHistoryLimit: 'once', suspend: 'once' },
            jobTemplate: (one, where) =>
              reading.fields(one, where, { metadata: 'label', spec: (inner, there) => reading.fields(inner, there, job) }),
          }),
      })
    default:
      return reading.fields(value, path, {
        ...object,
        spec: (spec, at) => reading.fields(spec, at, { ...controller(reading), replicas: copies, template: template(false) }),
      })
  }
}

const endsOnce = (pod: Record<string, unknown>): boolean => /^(?:Never|OnFailure)$/.test(textOf(pod.restartPolicy))

function claimTemplates(value: Record<string, unknown>): Set<string> {
  const templates = isRecord(value.spec) ? value.spec.volumeClaimTemplates : undefined
  if (!Array.isArray(templates)) return new Set()
  return new Set(templates.map((one) => (isRecord(one) && isRecord(one.metadata) ? textOf(one.metadata.name) : '')))
}

/** The labels by which a Service finds the pod. */
function labelsOf(value: Record<string, unknown>): Record<string, string> {
  const template = isRecord(value.spec) ? value.spec.template : undefined
  const metadata = textOf(value.kind) === 'Pod' ? value.metadata : isRecord(template) ? template.metadata : undefined
  const labels = isRecord(metadata) ? metadata.labels : undefined
  if (!isRecord(labels) || saysNothing(labels)) return {}
  return Object.fromEntries(Object.entries(labels).map(([name, one]) => [name, textOf(one)]))
}
