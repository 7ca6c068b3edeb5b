import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import { describe, expect, it } from 'vitest'
import { loadCatalog } from '../../presets/loadCatalog.ts'
import { ownApplication } from '../../presets/ownApplication.ts'
import type { Workload } from '../Runtime.ts'
import { otherName } from './createGates.ts'
import { kubernetesSettings } from './kubernetesSettings.ts'
import { partName } from './names.ts'
import { orderPolicies } from './orderObjects.ts'
import { memoryShares } from './podShare.ts'
import { gateOf, orderSecret, podOf, registrySecret } from './podSpec.ts'
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
    const pod = podOf([orderSecret(preset, context)])
    expect(pod.spec).toMatchObject({
      ...{ automountServiceAccountToken: false, enableServiceLinks: false, restartPolicy: 'Never', dnsPolicy: 'None' },
      securityContext: { runAsNonRoot: true, fsGroup: 33, seccompProfile: { type: 'RuntimeDefault' } },
    })
    const [container] = pod.spec?.containers ?? []
    expect(container?.securityContext).toEqual({
      ...{ runAsUser: 33, runAsGroup: 33, allowPrivilegeEscalation: false, privileged: false, readOnlyRootFilesystem: true },
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
    const { spec } = podOf([orderSecret(own({ registry: undefined, sharedMemory: asked }), context)])
    expect(spec?.volumes).toContainEqual({ name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: String(bytes) } })
    expect(spec?.containers[0]?.volumeMounts).toContainEqual({ name: 'shm', mountPath: '/dev/shm' })
  })

  it('mounts the files of an application from its secret, to be read only', () => {
    const files = [
      { path: '/etc/app.conf', text: 'mode = fast' },
      { path: '/hook', text: '#!/bin/sh' },
    ]
    const secret = orderSecret(own({ files }), context)
    const { spec } = podOf([secret])
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
    expect(podOf([orderSecret(own({ registry }), context)]).spec?.imagePullSecrets).toEqual([{ name: 'registry' }])
    expect(registrySecret(own({}))).toBeUndefined()
    expect(podOf([orderSecret(own({}), context)]).spec?.imagePullSecrets).toBeUndefined()
  })

  it('admits the agent only, and egress to the internet only', () => {
    const policies = orderPolicies({ agentAddresses: ['10.0.0.5/32'] })
    expect(policies.map(({ metadata }) => metadata?.name)).toEqual(['deny', 'agent', 'internet'])
    expect(orderPolicies({ agentAddresses: [] }).map(({ metadata }) => metadata?.name)).toEqual(['deny', 'internet'])
    const excepted = JSON.stringify(policies[2])
    for (const range of ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '168.63.129.16/32']) expect(excepted).toContain(range)
  })
})

describe('the pod of several services', () => {
  const read = parseApplication({
    services: {
      web: {
        image: 'docker.io/acme/web:1',
        ports: [{ protocol: 'http', port: 8000 }],
        env: { CACHE: 'cache:6379' },
        volumes: { '/up': 'shared' },
        after: { db: 'healthy' },
      },
      db: {
        image: 'docker.io/acme/db:1',
        user: '70:70',
        secrets: { PASSWORD: 'DB_PASSWORD' },
        volumes: { '/data': 'rows', '/seen': 'shared' },
        memory: 200 * 2 ** 20,
        aliases: ['My_DB', 'Postgres'],
        files: { '/etc/db.conf': 'mode = fast' },
      },
      cache: { image: 'docker.io/acme/cache:1', registry: { username: 'acme', password: 'REGISTRY' }, sharedMemory: 2 ** 20 },
    },
  }).application
  if (!read) throw new Error('the application of the test is malformed')
  const application = ownApplication(read, { DB_PASSWORD: 'hidden', REGISTRY: 'key' })
  const workloads = (application.services ?? []).map(
    (one): Workload => ({
      ...preset,
      app: one.app,
      env: one.env,
      allowance: { ...allowance, cores: 1, memoryBytes: 500 * 2 ** 20 },
    }),
  )
  const workloadOf = (part: string) => workloads.find(({ app: { service } }) => partName(service?.key) === part) as Workload
  const parts = ['app', 'app-cache', 'app-db']
  const secrets = parts.map((part) => orderSecret(workloadOf(part), { ...context, image: `${part}:1` }))
  const { spec } = podOf(secrets)
  const containerOf = (part: string) => spec?.containers.find(({ name }) => name === part)

  it('has one container of each, and each its own secret', () => {
    expect(secrets.map(({ metadata }) => metadata?.name)).toEqual(parts)
    expect(spec?.containers.map(({ name, image }) => [name, image])).toEqual(parts.map((part) => [part, `${part}:1`]))
    expect(spec?.restartPolicy).toBe('OnFailure')
    expect(JSON.stringify(spec)).not.toContain('hidden')
    expect(containerOf('app-db')?.env?.[0]).toEqual({
      name: 'PASSWORD',
      valueFrom: { secretKeyRef: { name: 'app-db', key: 'v0' } },
    })
    expect(Object.values(secrets[2]?.data ?? {}).map(decoded)).toContain('hidden')
    expect(Object.values(secrets[0]?.data ?? {}).map(decoded)).not.toContain('hidden')
  })

  it('lets none begin before the agent opens its gate', () => {
    const gates = spec?.containers.map(({ env }) => env?.find(({ name }) => name === 'RACKFAIR_SERVICE')?.valueFrom?.secretKeyRef)
    expect(gates).toEqual(parts.map((key) => ({ name: 'gates', key })))
    expect(gateOf('db')).toEqual({ 'app-db': Buffer.from('db').toString('base64') })
    expect(podOf([orderSecret(own({}), context)]).spec?.containers[0]?.env?.map(({ name }) => name)).not.toContain(
      'RACKFAIR_SERVICE',
    )
  })

  it('is never more than what was bought, in parts', () => {
    const memory = parts.map((part) => Number(containerOf(part)?.resources?.limits?.memory) / 2 ** 20)
    expect(memory).toEqual([150, 150, 200])
    expect(parts.map((part) => containerOf(part)?.resources?.limits?.cpu)).toEqual(['333m', '333m', '333m'])
    const sizes = spec?.volumes?.filter(({ name }) => name.startsWith('shm')).map(({ emptyDir }) => Number(emptyDir?.sizeLimit))
    expect(sizes).toEqual([75 * 2 ** 20, 2 ** 20, 100 * 2 ** 20])
  })

  it('finds its services by name on its own loopback', () => {
    expect(spec?.hostAliases).toEqual([{ ip: '127.0.0.1', hostnames: ['web', 'cache', 'db', 'postgres'] }])
  })

  it('shares the volumes that two name, and nothing else', () => {
    const mounts = (part: string) =>
      containerOf(part)?.volumeMounts?.flatMap(({ name, mountPath, subPath }) => (name === 'disk' ? [[mountPath, subPath]] : []))
    const [[, shared] = []] = mounts('app') ?? []
    expect(mounts('app')).toEqual([['/up', shared]])
    expect(mounts('app-db')).toEqual(expect.arrayContaining([['/seen', shared]]))
    expect(mounts('app-db')).toHaveLength(2)
    expect(mounts('app-cache')).toEqual([])
    expect(spec?.volumes?.filter(({ name }) => name === 'disk')).toHaveLength(1)
    const names = spec?.volumes?.map(({ name }) => name) ?? []
    expect(new Set(names).size).toBe(names.length)
    const known = new Set(names)
    for (const part of parts) for (const { name } of containerOf(part)?.volumeMounts ?? []) expect(known).toContain(name)
  })

  it('gives each its own user, files and registry account', () => {
    expect(containerOf('app-db')?.securityContext).toMatchObject({ runAsUser: 70, runAsGroup: 70 })
    expect(containerOf('app')?.securityContext).not.toHaveProperty('runAsUser')
    expect(spec?.securityContext).toMatchObject({ runAsNonRoot: true, fsGroup: 0 })
    const files = containerOf('app-db')?.volumeMounts?.find(({ mountPath }) => mountPath === '/etc/db.conf')
    expect(spec?.volumes?.find(({ name }) => name === files?.name)?.secret?.secretName).toBe('app-db')
    const account = registrySecret(workloadOf('app-cache'))?.metadata?.name
    expect(spec?.imagePullSecrets).toEqual([{ name: account }])
  })

  it('has the service with the GPUs named: the main one', () => {
    const card = { vendor: 'nvidia' } as never
    const limits = (part: string) => {
      const workload = workloadOf(part)
      const withCards = { ...workload, allowance: { ...workload.allowance, gpus: [card, card] } }
      return podOf([orderSecret(withCards, context)]).spec?.containers[0]?.resources?.limits?.['nvidia.com/gpu']
    }
    expect(parts.map(limits)).toEqual(['2', undefined, undefined])
  })
})

it.each([
  [
    [undefined, undefined],
    [500, 500],
  ],
  [
    [300, undefined, undefined],
    [300, 350, 350],
  ],
  [
    [900, undefined],
    [750, 250],
  ],
  [
    [900, 900],
    [500, 500],
  ],
  [
    [100, 200],
    [100, 200],
  ],
])('splits 1,000 bytes among services that name %s', (asked, shares) => {
  expect(memoryShares(1000, asked)).toEqual(shares)
})

it('knows another name of an image by its digest alone', () => {
  const digest = `sha256:${'a'.repeat(64)}`
  expect(otherName(`docker.io/library/redis:7@${digest}`)).toBe(`docker.io/library/redis@${digest}`)
  expect(otherName(`docker.io/library/redis@${digest}`)).toBe(`docker.io/library/redis:again@${digest}`)
  expect(otherName('docker.io/library/redis:7')).toBeUndefined()
})

it('restarts an evicted program, even a job, instead of counting it as ended', () => {
  const namespace = { metadata: { labels: { 'rackfair.io/order': '12' }, annotations: { 'rackfair.io/deployment': 'd1' } } }
  const evicted = podState(namespace, { status: { phase: 'Failed', reason: 'Evicted' } })
  expect(evicted).toMatchObject({ orderId: 12n, running: false, exitCode: 137, endedAt: undefined })
  const ended = { name: 'app', state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2026-11-23T05:00:00Z' } } }
  const job = podState(namespace, { status: { phase: 'Succeeded', containerStatuses: [ended as never] } })
  expect(job).toMatchObject({ running: false, exitCode: 0, endedAt: Date.parse('2026-11-23T05:00:00Z') })
  expect(podState({ metadata: { ...namespace.metadata, deletionTimestamp: new Date() } }, undefined)).toBeUndefined()
})

it('fails a start that the node refuses, and waits for a busy node that retries', () => {
  const waiting = (message: string) => {
    const state = { waiting: { reason: 'CreateContainerConfigError', message } }
    return whyNotStarting({ status: { containerStatuses: [{ name: 'app', state } as never] } }, 0)
  }
  expect(waiting('secret "app" not found')).toMatchObject({ code: 'start_failed', cause: 'secret "app" not found' })
  expect(waiting('failed to sync secret cache: timed out waiting for the condition')).toBeUndefined()
})
