import { describe, expect, it } from 'vitest'
import { loadCatalog } from '../../presets/loadCatalog.ts'
import type { Workload } from '../Runtime.ts'
import { kubernetesSettings } from './kubernetesSettings.ts'
import { orderPolicies } from './orderObjects.ts'
import { orderSecret, podOf, registrySecret } from './podSpec.ts'
import { podState, whyNotStarting } from './podState.ts'

const NGINX = 2
const app = loadCatalog().get(NGINX)?.app
if (!app) throw new Error('no nginx')
const allowance = { cores: 1.5, memoryBytes: 2 ** 29, diskBytes: 2 ** 30, gpus: [] }
const preset: Workload = { orderId: 12n, deploymentId: 'd1', slot: 3, app, env: { TOKEN: 'a secret' }, allowance }
const owned = { user: '1000', job: undefined, sandbox: undefined, files: [], sharedMemory: undefined }
const own = (change: Partial<NonNullable<Workload['app']['own']>>): Workload => ({
  ...preset,
  app: { ...app, image: 'docker.io/acme/web:1', own: { ...owned, registry: undefined, ...change } },
})
const context = { instance: 'abcdef', image: 'i', resolvers: ['9.9.9.9'], settings: kubernetesSettings.parse({ diskGb: 100 }) }
const decoded = (text = '') => Buffer.from(text, 'base64').toString()

describe('the pod of an order', () => {
  it('contains nothing of the cluster, and no environment value in plain sight', () => {
    const pod = podOf(orderSecret(preset, context))
    expect(pod.spec).toMatchObject({
      ...{ automountServiceAccountToken: false, enableServiceLinks: false, restartPolicy: 'Never', dnsPolicy: 'None' },
      securityContext: { runAsUser: 33, runAsNonRoot: true, fsGroup: 33, seccompProfile: { type: 'RuntimeDefault' } },
    })
    const [container] = pod.spec?.containers ?? []
    expect(container?.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, privileged: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
    })
    expect(container?.resources?.limits).toMatchObject({ cpu: '1500m', memory: String(2 ** 29) })
    expect(JSON.stringify(pod)).not.toContain('a secret')
    expect(Object.values(orderSecret(preset, context).data ?? {}).map(decoded)).toContain('a secret')
  })

  it.each([
    [undefined, 2 ** 28],
    [3 * 2 ** 27, 3 * 2 ** 27],
    [2 ** 31, 2 ** 29],
  ])('has the shared memory that it asks for, %s bytes, half of the memory by default, and at most all of it', (asked, bytes) => {
    const { spec } = podOf(orderSecret(own({ registry: undefined, sharedMemory: asked }), context))
    expect(spec?.volumes).toContainEqual({ name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: String(bytes) } })
    expect(spec?.containers[0]?.volumeMounts).toContainEqual({ name: 'shm', mountPath: '/dev/shm' })
  })

  it('mounts the files of an application from its secret, to be read only', () => {
    const files = [
      { path: '/etc/app.conf', text: 'mode = fast' },
      { path: '/hook', text: '#!/bin/sh' },
    ]
    const secret = orderSecret(own({ files }), context)
    const { spec } = podOf(secret)
    expect(spec?.volumes).toContainEqual({
      name: 'files',
      secret: {
        secretName: 'app',
        items: [
          { key: 'f0', path: 'f0', mode: 0o444 },
          { key: 'f1', path: 'f1', mode: 0o555 },
        ],
      },
    })
    expect(spec?.containers[0]?.volumeMounts).toContainEqual({
      ...{ name: 'files', mountPath: '/etc/app.conf', subPath: 'f0', readOnly: true },
    })
    expect(decoded(secret.data?.f0)).toBe('mode = fast')
  })

  it('passes the renter’s registry account to the kubelet, for that registry only', () => {
    const registry = { username: 'acme', password: 'pass:word' }
    const secret = registrySecret(own({ registry }))
    expect(JSON.parse(decoded(secret?.data?.['.dockerconfigjson']))).toEqual({
      auths: { 'https://index.docker.io/v1/': { ...registry, auth: Buffer.from('acme:pass:word').toString('base64') } },
    })
    expect(podOf(orderSecret(own({ registry }), context)).spec?.imagePullSecrets).toEqual([{ name: 'registry' }])
    expect(registrySecret(own({}))).toBeUndefined()
    expect(podOf(orderSecret(own({}), context)).spec?.imagePullSecrets).toBeUndefined()
  })

  it('admits the agent only, and egress to the internet only', () => {
    const policies = orderPolicies({ agentAddresses: ['10.0.0.5/32'] })
    expect(policies.map(({ metadata }) => metadata?.name)).toEqual(['deny', 'agent', 'internet'])
    expect(orderPolicies({ agentAddresses: [] }).map(({ metadata }) => metadata?.name)).toEqual(['deny', 'internet'])
    const excepted = JSON.stringify(policies[2])
    for (const range of ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '168.63.129.16/32']) expect(excepted).toContain(range)
  })
})

it('restarts an evicted program, even a job, instead of counting it as ended', () => {
  const namespace = { metadata: { labels: { 'rackfair.io/order': '12' }, annotations: { 'rackfair.io/deployment': 'd1' } } }
  const evicted = podState(namespace, { status: { phase: 'Failed', reason: 'Evicted' } })
  expect(evicted).toMatchObject({ orderId: 12n, running: false, exitCode: 137, endedAt: undefined })
  const ended = { state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2026-11-23T05:00:00Z' } } }
  const job = podState(namespace, { status: { phase: 'Succeeded', containerStatuses: [ended as never] } })
  expect(job).toMatchObject({ running: false, exitCode: 0, endedAt: Date.parse('2026-11-23T05:00:00Z') })
  expect(podState({ metadata: { ...namespace.metadata, deletionTimestamp: new Date() } }, undefined)).toBeUndefined()
})

it('fails a start that the node refuses, and waits for a busy node that retries', () => {
  const waiting = (message: string) => {
    const state = { waiting: { reason: 'CreateContainerConfigError', message } }
    return whyNotStarting({ status: { containerStatuses: [{ state } as never] } }, 0)
  }
  expect(waiting('secret "app" not found')).toMatchObject({ code: 'start_failed', cause: 'secret "app" not found' })
  expect(waiting('failed to sync secret cache: timed out waiting for the condition')).toBeUndefined()
})
