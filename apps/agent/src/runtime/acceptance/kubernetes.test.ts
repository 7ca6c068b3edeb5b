import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import type { V1NodeList } from '@kubernetes/client-node'
import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import type { DeploymentDetails } from '@rackfair/protocol/deployments'
import { type Cluster, POD_CIDR, startCluster, whyNoCluster } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, type ExpectStatic, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { checkCluster } from '../../commands/doctor/checkCluster.ts'
import { agentConfig } from '../../config/agentConfig.ts'
import type { Command } from '../../db/openAgentDb.ts'
import type { Check } from '../../foundation/Check.ts'
import { createServiceSteps } from '../../orders/reconcile/createServiceSteps.ts'
import type { Run } from '../../orders/reconcile/Run.ts'
import { loadCatalog, PRESETS_FOLDER } from '../../presets/loadCatalog.ts'
import { ownApplication } from '../../presets/ownApplication.ts'
import { startAgentPod } from '../../testing/agentPod.ts'
import { runCli } from '../../testing/runCli.ts'
import { IMAGE_CACHE } from '../../testing/setupAgent.ts'
import { temporaryFolder } from '../../testing/temporaryFolder.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { rootfsTar } from '../engine/buildImage.ts'
import { recipeOf } from '../engine/imageRecipe.ts'
import { newInstance } from '../engine/names.ts'
import { conformance } from '../kubernetes/conformance.ts'
import { createKubernetesRuntime } from '../kubernetes/createKubernetesRuntime.ts'
import { kubernetesSettings } from '../kubernetes/kubernetesSettings.ts'
import type { Runtime } from '../Runtime.ts'
import { CASES } from './cases.ts'

const NGINX = 2
const APACHE = 1
const REGISTRY = 'registry.invalid'
const ALLOWANCE = { cores: 0.5, memoryBytes: 128 * 2 ** 20, diskBytes: 256 * 2 ** 20, gpus: [] }
/** Each disk of the cluster is used only once. */
const DISKS_MORE = 30
const NOBODY = 'http://127.0.0.1:9'
const ADDRESS = `0x${'1'.repeat(40)}`
const RIGHTS_FILE = new URL('../../../../../deploy/kubernetes/agent-rights.yaml', import.meta.url)
const reason = whyNoCluster() ?? whyNoContainers()

describe.skipIf(reason)(`Kubernetes as a runtime (${reason ?? 'here'})`, () => {
  const data = temporaryFolder('kubernetes')
  const instance = newInstance()
  let cluster: Cluster & { stop(): Promise<void> }
  let runtime: Runtime
  let withoutWall: Check[]
  let oldApi: Server
  const oldCluster = join(data, 'old.kubeconfig')
  const preset = () => {
    const found = loadCatalog().get(NGINX)
    if (!found) throw new Error('no nginx')
    return found
  }
  const bare = () => kubernetesSettings.parse({ kubeconfig: cluster.kubeconfig.admin, registry: REGISTRY, diskGb: 100 })
  /** Of an agent that can reach neither chain nor platform. */
  const configOf = (kubernetes: object) => ({
    ...{ instance: newInstance(), chainId: 2985, rpcUrl: NOBODY, platforms: [NOBODY], access: ADDRESS, provider: ADDRESS },
    ...{ operatorKeyFile: join(data, 'operator.key'), gateway: { host: '127.0.0.1', port: 7070, publicHost: '127.0.0.1' } },
    kubernetes,
  })
  const settings = () => ({ ...bare(), wall: { bridge: 'pods0', subnet: POD_CIDR, openPods: [] } })
  const open = () => createKubernetesRuntime({ instance, data, settings: settings() })

  beforeAll(async () => {
    cluster = await startCluster()
    const image = recipeOf(preset().app.image, PRESETS_FOLDER)
    if (!image) throw new Error('no recipe of nginx')
    const { entrypoint, command, user } = image.recipe
    const tar = await rootfsTar(image, IMAGE_CACHE, { onProgress: console.log })
    await cluster.addImage(tar, `${REGISTRY}/rackfair/nginx:latest`, { Entrypoint: entrypoint, Cmd: command, User: user })
    await cluster.addDisks(CASES.length + DISKS_MORE, ALLOWANCE.diskBytes)
    withoutWall = await checkCluster(agentConfig.parse(configOf(bare())))
    runtime = await open()
    oldApi = createServer(
      { cert: readFileSync(join(cluster.folder, 'server.crt')), key: readFileSync(join(cluster.folder, 'server.key')) },
      (_asked, answer) => answer.end(JSON.stringify({ major: '1', minor: '16', gitVersion: 'v1.16.3' })),
    ).listen(0, '127.0.0.1')
    await once(oldApi, 'listening')
    const config = readFileSync(cluster.kubeconfig.admin, 'utf8')
    writeFileSync(oldCluster, config.replace(/192\.0\.2\.1:6443/, `127.0.0.1:${(oldApi.address() as AddressInfo).port}`))
  })
  afterAll(async () => {
    oldApi?.close()
    await runtime?.close({ stopWorkloads: true })
    await cluster?.stop()
  })

  it.concurrent.for([
    ['an image that no registry has', 103n, { image: `${REGISTRY}/none:1` }, {}, 'image_missing', /cannot get the image/],
    ['more than any node has', 107n, {}, { cores: 64 }, 'start_failed', /no node of the cluster has room/],
  ] as const)('explains why it does not start %s', async ([_name, orderId, change, more, code, message], { expect }) => {
    const { app } = preset()
    const workload = {
      orderId,
      deploymentId: 'd',
      slot: 0,
      app: { ...app, ...change },
      env: {},
      allowance: { ...ALLOWANCE, ...more },
    }
    await runtime.create(workload, await runtime.ensureImage(workload.app))
    await expect(runtime.start(orderId)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    await runtime.remove(orderId, { wipe: true })
    expect(await runtime.ordersWithData()).not.toContain(orderId)
  })

  it.concurrent('runs several services of an order as one pod, in their order, each seen and looked after by itself', async ({
    expect,
  }) => {
    const orderId = 131n
    const bash = (line: string) => ({
      image: `${REGISTRY}/rackfair/nginx:latest`,
      command: ['/bin/bash', '-c', line],
      user: '33:33',
    })
    const { application: spec } = parseApplication({
      services: {
        web: {
          ...bash('cat /seen/rows; exec sleep infinity'),
          ports: [{ protocol: 'http', port: 8000 }],
          volumes: { '/seen': 'shared' },
          after: { db: 'healthy', migrate: 'done' },
        },
        migrate: { ...bash('echo "$WORD" > /out/rows'), secrets: ['WORD'], volumes: { '/out': 'shared' }, once: true },
        db: {
          ...bash('sleep 2; touch /tmp/up; echo db is up; sleep infinity; exit 3'),
          check: { command: ['test', '-e', '/tmp/up'], every: 1 },
          after: { migrate: 'done' },
          memory: 32 * 2 ** 20,
          aliases: ['store'],
        },
      },
    })
    if (!spec) throw new Error('the application of the test is malformed')
    const application = ownApplication(spec, { WORD: 'written before' })
    const command = { orderId, deploymentId: 'several' } as Command
    const details: DeploymentDetails = {}
    const steps = createServiceSteps(
      {
        runtime,
        notes: { add: () => {}, remove: () => {} },
        state: { command: () => command, earlier: () => undefined, deployment: () => ({ details }) } as never,
      },
      { detail: (_, more) => void Object.assign(details, more) },
      { stopped: () => false, flushOutbox: () => {}, scheduleReconcile: () => {} },
    )
    const run = { command, application } as Run
    for (const { app, env } of application.services ?? [])
      await runtime.create({ ...command, slot: 0, app, env, allowance: ALLOWANCE }, app.image)
    await steps.start(run)
    steps.tell(command, await steps.look(run))
    expect(details.services).toEqual([
      { service: 'web', state: 'running' },
      { service: 'migrate', state: 'done', code: 0 },
      { service: 'db', state: 'running' },
    ])
    await expect.poll(() => runtime.logs(orderId, 5), { timeout: 60_000 }).toContain('written before')
    expect(await runtime.logs(orderId, 5, 'db')).toContain('db is up')
    const inside = async (line: string, service?: string) => {
      const { stdout, exitCode } = await runtime.exec(orderId, ['/bin/bash', '-c', line], { service })
      const [said, code] = await Promise.all([readText(stdout), exitCode])
      return { said, code }
    }
    expect((await inside('test -e /tmp/up', 'db')).code).toBe(0)
    expect((await inside('test -e /tmp/up')).code).toBe(1)
    expect((await inside('getent hosts store; getent hosts db')).said).toMatch(/127\.0\.0\.1/)
    const listed = (await runtime.list()).filter((one) => one.orderId === orderId).map(({ service }) => service ?? 'the main one')
    expect(listed.sort()).toEqual(['db', 'migrate', 'the main one'])
    const of = (service?: string) => runtime.usage(orderId, service)
    await expect.poll(async () => (await of('db'))?.memoryLimitBytes, { timeout: 60_000 }).toBe(32 * 2 ** 20)
    expect((await of())?.memoryLimitBytes).toBeLessThanOrEqual(ALLOWANCE.memoryBytes)
    // A service that is killed is started again, where it was, and the others go on.
    const web = (await runtime.find(orderId))?.upstream?.start
    const db = (await runtime.find(orderId, 'db'))?.upstream?.start
    await inside('for one in /proc/[0-9]*; do [[ $(<$one/comm) = sleep ]] && kill -9 $(basename $one); done', 'db')
    await expect
      .poll(async () => ![undefined, db].includes((await runtime.find(orderId, 'db'))?.upstream?.start), { timeout: 120_000 })
      .toBe(true)
    expect((await runtime.find(orderId))?.upstream?.start).toBe(web)
    await runtime.stop(orderId)
    await steps.start(run)
    expect((await runtime.find(orderId))?.running).toBe(true)
    await runtime.remove(orderId, { wipe: true })
    expect(await runtime.ordersWithData()).not.toContain(orderId)
  })

  it.concurrent('is refused where the network enforces no policy, and accepted behind the agent’s firewall', async ({
    expect,
  }) => {
    const failed = (checks: readonly Check[]) => checks.flatMap(({ name, found, ok }) => (ok ? [] : [`${name}: ${found}`]))
    expect(failed(withoutWall)).toEqual([
      expect.stringMatching(/^cluster: no tenant reaches another tenant: .* answers/),
      expect.stringMatching(/^cluster: no tenant reaches the API server: .* answers/),
    ])
    const options = { settings: settings(), instance, runtime, app: preset().app }
    expect(failed(await conformance(options))).toEqual([])
    expect((await runtime.list()).filter(({ deploymentId }) => deploymentId === 'conformance')).toEqual([])
  })

  it.concurrent.for([
    [
      'no rights',
      () => ({ kubeconfig: cluster.kubeconfig.agent }),
      'cluster: rights of the agent',
      /^not allowed: .*patch resourcequotas/,
    ],
    ['no class of disks', () => ({ storageClass: 'none' }), 'cluster: storage class', /^there is no none$/],
    ['no RuntimeClass of gVisor', () => ({ sandboxClass: 'gvisor' }), 'cluster: gVisor', /^there is no RuntimeClass gvisor$/],
    ['too old an API', () => ({ kubeconfig: oldCluster }), 'cluster', /v1\.16\.3; from v1\.20 on orders can run/],
  ] as const)(
    'reports by the doctor what a cluster with %s lacks, in words and as data',
    async ([_name, change, name, found], { expect }) => {
      const file = join(data, `${newInstance()}.json`)
      writeFileSync(file, JSON.stringify(configOf({ ...settings(), ...change() })))
      const { json, code } = await runCli<Check[]>(['doctor', '--config', file, '--json'])
      const lack = json.find((one) => one.name === name)
      expect(lack).toEqual({ name, ok: false, found: expect.stringMatching(found), fix: expect.any(String) })
      expect(code).toBe(1)
      const { stdout } = await runCli(['doctor', '--config', file])
      expect(stdout).toContain(`FAIL  ${name}: ${lack?.found}\n      ${lack?.fix}`)
    },
  )

  it.concurrent('refuses an application for gVisor for good without its runtime class', async ({ expect }) => {
    const orderId = 108n
    const sandboxed = await createKubernetesRuntime({ instance, data, settings: { ...settings(), sandboxClass: 'gvisor' } })
    const { app } = preset()
    const own = {
      user: undefined,
      registry: undefined,
      ports: [],
      job: undefined,
      sandbox: 'gvisor' as const,
      files: [],
      sharedMemory: undefined,
    }
    const workload = { orderId, deploymentId: 'd', slot: 0, app: { ...app, own }, env: {}, allowance: ALLOWANCE }
    await sandboxed.create(workload, await sandboxed.ensureImage(app))
    await expect(sandboxed.start(orderId)).rejects.toMatchObject({
      ...{ code: 'runtime_refused', retryable: false },
      message: "this provider's cluster has no RuntimeClass gvisor",
    })
    await expect(runtime.create(workload, await runtime.ensureImage(app))).rejects.toMatchObject({ code: 'runtime_refused' })
    await runtime.remove(orderId, { wipe: true })
    await sandboxed.close({ stopWorkloads: false })
  })

  it.concurrent.for([
    ['somebody deleted', 102n, 'DELETE', ''],
    ['the cluster evicted', 106n, 'POST', '/eviction'],
  ] as const)('restarts a pod that %s', async ([_how, orderId, method, way], { expect }) => {
    await start(orderId, expect)
    const namespace = `rackfair-${instance}-${orderId}`
    const eviction = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'app', namespace } }
    await cluster.call(method, `/api/v1/namespaces/${namespace}/pods/app${way}`, way ? eviction : undefined)
    await expect.poll(() => runtime.find(orderId), { timeout: 60_000 }).toMatchObject({ running: false, deploymentId: 'd' })
    await runtime.start(orderId)
    expect(await runtime.find(orderId)).toMatchObject({ running: true })
    await runtime.remove(orderId, { wipe: true })
  })

  it.concurrent('waits for a namespace stuck in Terminating, and runs the order once that is gone', {
    timeout: 480_000,
  }, async ({ expect }) => {
    const orderId = 105n
    await start(orderId, expect)
    const path = `/api/v1/namespaces/rackfair-${instance}-${orderId}`
    const held = { name: 'held', finalizers: ['example.org/held'] }
    await cluster.call('POST', `${path}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: held })
    await cluster.call('DELETE', path)
    await expect.poll(() => runtime.find(orderId), { timeout: 60_000 }).toBeUndefined()
    expect(await runtime.ordersWithData()).not.toContain(orderId)
    await expect(start(orderId, expect)).rejects.toMatchObject({
      ...{ code: 'engine_unavailable', retryable: true },
      message: `the namespace of order ${orderId} is still being removed`,
    })
    await cluster.call('PUT', `${path}/configmaps/held`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held' } })
    // A busy cluster takes minutes to remove what was held.
    const outcome = () =>
      start(orderId, expect).then(
        () => 'runs',
        (error: Error) => error.message,
      )
    await expect.poll(outcome, { timeout: 300_000 }).toBe('runs')
    await runtime.remove(orderId, { wipe: true })
  })

  it.concurrent.for(CASES)('$name', ({ run }, { expect }) => run({ runtime, open, nginx: preset().app, expect }))

  // From here on sequential: these tests change what all orders of the cluster depend on.
  it('is refused without a storage class, and starts nothing to find out', async ({ expect }) => {
    const unknown = { ...settings(), storageClass: 'none' }
    expect(await conformance({ settings: unknown, instance, runtime, app: preset().app })).toMatchObject([
      { ok: true },
      { name: 'storage class', ok: false, found: 'there is no none', fix: expect.stringContaining('kubernetes.storageClass') },
      { ok: true },
    ])
    expect(await runtime.list()).toEqual([])
  })

  it('reports missing permissions, and has them with the manifest', async ({ expect }) => {
    // The check stops at the storage class, which does not exist.
    const asAgent = { ...settings(), kubeconfig: cluster.kubeconfig.agent, storageClass: 'none' }
    const check = async () => (await conformance({ settings: asAgent, instance, runtime, app: preset().app }))[0]
    expect(await check()).toMatchObject({
      ok: false,
      found: expect.stringMatching(/^not allowed: get namespaces, .*list storageclasses$/),
    })
    const [, , role] = parseAllDocuments(readFileSync(RIGHTS_FILE, 'utf8')).map(
      (one) => one.toJS() as { metadata: { name: string } },
    )
    const group = '/apis/rbac.authorization.k8s.io/v1'
    await cluster.call('POST', `${group}/clusterroles`, role)
    await cluster.call('POST', `${group}/clusterrolebindings`, {
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'test' } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role?.metadata.name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'rackfair-agent' }],
    })
    await expect.poll(check, { timeout: 60_000 }).toMatchObject({ ok: true, found: 'all' })
  })

  it('is sold by an agent that runs inside, from its image recipe and its manifests', async ({ expect }) => {
    const debian = recipeOf(loadCatalog().get(APACHE)?.app.image ?? '', PRESETS_FOLDER)
    if (!debian) throw new Error('no recipe of apache')
    const tar = await rootfsTar(debian, IMAGE_CACHE, { onProgress: console.log })
    const { kubeconfig: _, ...inside } = bare()
    const agent = await startAgentPod(cluster, tar, configOf(inside))
    try {
      const lines = agent.inside('rackfair-agent', 'conformance').trim().split('\n')
      expect(lines.length).toBeGreaterThan(5)
      expect(lines.filter((line) => !line.startsWith('pass'))).toEqual([])
      // The agent runs the same checks at its own start, in parallel.
      await expect.poll(() => agent.log(), { timeout: 120_000 }).toContain('the cluster holds what a tenant must not do')
      expect(agent.inside('sh', '-c', 'touch /opt/written 2>&1; grep CapEff /proc/1/status')).toMatch(
        /Read-only file system\nCapEff:\t0+\n/,
      )
    } finally {
      agent.stop()
    }
  })

  it('schedules nothing on a second machine, where the agent’s firewall is missing', async ({ expect }) => {
    const orderId = 109n
    const { app } = preset()
    const workload = { orderId, deploymentId: 'd', slot: 0, app, env: {}, allowance: ALLOWANCE }
    await runtime.create(workload, await runtime.ensureImage(app))
    const second = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-2' } }
    await cluster.call('POST', '/api/v1/nodes', second)
    try {
      const status = { conditions: [{ type: 'Ready', status: 'True' }] }
      await cluster.call('PATCH', '/api/v1/nodes/node-2/status', { status }, 'application/strategic-merge-patch+json')
      await expect(runtime.start(orderId)).rejects.toMatchObject({
        ...{ code: 'isolation_unavailable', retryable: true },
        message: expect.stringContaining('orders could be placed on others'),
      })
      const options = { instance, runtime, app: preset().app }
      expect((await conformance({ ...options, settings: settings() })).filter(({ ok }) => !ok)).toEqual([
        expect.objectContaining({ name: 'nodes', found: expect.stringMatching(/^node-1, node-2: /) }),
      ])
      const pool = { ...settings(), nodeSelector: { 'rackfair.io/pool': 'cpu' } }
      const ofPool = await createKubernetesRuntime({ instance, data, settings: pool })
      await ofPool.start(orderId)
      expect(await ofPool.find(orderId)).toMatchObject({ running: true })
      await ofPool.remove(orderId, { wipe: true })
      await ofPool.close({ stopWorkloads: false })
    } finally {
      await cluster.call('DELETE', '/api/v1/nodes/node-2')
    }
  })

  it('continues without the API server: nothing stops, no order ends, and all is as before afterwards', async ({ expect }) => {
    const orderId = 101n
    await start(orderId, expect)
    const before = await runtime.find(orderId)
    await cluster.halt('kube-apiserver')
    try {
      for (const ask of [() => runtime.find(orderId), () => runtime.list(), () => runtime.check()])
        await expect(ask()).rejects.toMatchObject({ code: 'engine_unavailable', retryable: true })
      expect((await fetch(`http://${before?.upstream?.address}:8080/`)).status).toBe(200)
    } finally {
      await cluster.resume('kube-apiserver')
    }
    await expect.poll(() => runtime.find(orderId).catch(() => undefined), { timeout: 120_000 }).toEqual(before)
    await runtime.remove(orderId, { wipe: true })
  })

  it('releases a pod whose node died, so that the order can continue elsewhere', async ({ expect }) => {
    const orderId = 104n
    await start(orderId, expect)
    await cluster.halt('kubelet')
    try {
      await expect.poll(() => nodeReady(), { timeout: 180_000 }).not.toBe('True')
      await runtime.stop(orderId)
      expect(await runtime.find(orderId)).toMatchObject({ running: false, deploymentId: 'd' })
    } finally {
      await cluster.resume('kubelet')
    }
    await expect.poll(() => nodeReady(), { timeout: 120_000 }).toBe('True')
    await runtime.remove(orderId, { wipe: true })
  })

  const nodeReady = async () => {
    const { items } = (await cluster.call('GET', '/api/v1/nodes')).body as V1NodeList
    return items[0]?.status?.conditions?.find(({ type }) => type === 'Ready')?.status
  }
  const start = async (orderId: bigint, expect: ExpectStatic) => {
    const { app } = preset()
    const workload = { orderId, deploymentId: 'd', slot: Number(orderId), app, env: {}, allowance: ALLOWANCE }
    await runtime.create(workload, await runtime.ensureImage(app))
    await runtime.start(orderId)
    await expect.poll(() => runtime.probe(orderId, app.probe), { timeout: 120_000 }).toBe(true)
  }
})
