import type { KubernetesObject, V1Namespace, V1PersistentVolumeClaim, V1ResourceQuota } from '@kubernetes/client-node'
import { GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from '@rackfair/rules/network/specialAddresses'
import type { Allowance, Workload } from '../Runtime.ts'
import type { KubernetesSettings } from './kubernetesSettings.ts'
import { APP, LABEL, NOTE, namespaceOf } from './names.ts'

/** Logs and the layer that a read-only root does not have. */
const PRESET_ROOT_BYTES = 2 ** 28

/** What of the cluster one order may use, in its own units. */
export function limitsOf({ app, allowance }: Workload) {
  return {
    cpu: `${Math.round(allowance.cores * 1000)}m`,
    memory: String(allowance.memoryBytes),
    'ephemeral-storage': String(app.own ? allowance.diskBytes : PRESET_ROOT_BYTES),
  }
}

/** The GPUs of an order, by what their vendor's device plugin calls them. */
export function gpuLimits({ gpus }: Pick<Allowance, 'gpus'>): Record<string, string> {
  const counts = new Map<string, number>()
  for (const { vendor } of gpus) counts.set(`${vendor}.com/gpu`, (counts.get(`${vendor}.com/gpu`) ?? 0) + 1)
  return Object.fromEntries([...counts].map(([name, count]) => [name, String(count)]))
}

/** The order's namespace. Its pods can be nothing but what the restricted profile allows. */
export function orderNamespace(
  instance: string,
  { orderId, deploymentId, slot, app }: Workload,
  parts: readonly string[] = [],
): V1Namespace {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespaceOf(instance, orderId),
      labels: {
        [LABEL.instance]: instance,
        [LABEL.order]: String(orderId),
        'pod-security.kubernetes.io/enforce': 'restricted',
      },
      annotations: {
        [NOTE.deployment]: deploymentId,
        [NOTE.slot]: String(slot),
        [NOTE.sandbox]: app.own?.sandbox ?? '',
        ...(parts.length > 0 ? { [NOTE.parts]: parts.join(',') } : {}),
      },
    },
  }
}

/** No more than what was bought, whatever comes to be in the namespace. */
export function orderQuota(workload: Workload): V1ResourceQuota {
  const limits = limitsOf(workload)
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: APP },
    spec: {
      hard: {
        ...Object.fromEntries(
          Object.entries(limits).flatMap(([name, most]) => [
            [`requests.${name}`, most],
            [`limits.${name}`, most],
          ]),
        ),
        ...Object.fromEntries(Object.entries(gpuLimits(workload.allowance)).map(([name, most]) => [`requests.${name}`, most])),
        'requests.storage': String(workload.allowance.diskBytes),
        persistentvolumeclaims: '1',
        pods: '1',
        services: '0',
        configmaps: '4',
      },
    },
  }
}

/** What a container gets that asks for nothing, and the most that one may ask for. */
export function orderLimitRange(workload: Workload): KubernetesObject & { spec: object } {
  const most = limitsOf(workload)
  return {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: APP },
    spec: { limits: [{ type: 'Container', default: most, max: most }] },
  }
}

type Policy = KubernetesObject & { spec: object }

/** Nothing comes in but from the agent, nothing goes out but to the internet. */
export function orderPolicies({ agentAddresses }: Pick<KubernetesSettings, 'agentAddresses'>): Policy[] {
  const policy = (name: string, spec: object): Policy => ({
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name } },
    spec: { ...spec, podSelector: {} },
  })
  return [
    policy('deny', { policyTypes: ['Ingress', 'Egress'] }),
    ...(agentAddresses.length > 0
      ? [
          policy('agent', {
            policyTypes: ['Ingress'],
            ingress: [{ from: agentAddresses.map((cidr) => ({ ipBlock: { cidr } })) }],
          }),
        ]
      : []),
    policy('internet', {
      policyTypes: ['Egress'],
      egress: [
        {
          to: [
            { ipBlock: { cidr: '0.0.0.0/0', except: [...SPECIAL_IPV4] } },
            { ipBlock: { cidr: GLOBAL_IPV6, except: [...SPECIAL_IPV6] } },
          ],
        },
      ],
    }),
  ]
}

/** The order's disk. */
export function orderClaim(
  { allowance }: Pick<Workload, 'allowance'>,
  { storageClass }: Pick<KubernetesSettings, 'storageClass'>,
): V1PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: APP },
    spec: {
      accessModes: ['ReadWriteOnce'],
      ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
      resources: { requests: { storage: String(allowance.diskBytes) } },
    },
  }
}
