import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { POD_CIDR, startCluster, whyNoCluster } from '@rackfair/testkit'
import { AGENT_TIMES } from '../../apps/agent/src/foundation/times.ts'
import { loadCatalog, PRESETS_FOLDER } from '../../apps/agent/src/presets/loadCatalog.ts'
import { rootfsTar } from '../../apps/agent/src/runtime/engine/buildImage.ts'
import { recipeOf } from '../../apps/agent/src/runtime/engine/imageRecipe.ts'
import { newInstance } from '../../apps/agent/src/runtime/engine/names.ts'
import { createKubernetesRuntime } from '../../apps/agent/src/runtime/kubernetes/createKubernetesRuntime.ts'
import { kubernetesSettings } from '../../apps/agent/src/runtime/kubernetes/kubernetesSettings.ts'
import { IMAGE_CACHE } from '../../apps/agent/src/testing/setupAgent.ts'
import { percentile, table } from '../platform/table.ts'

/**
 * A cluster of one node on this machine, with everything that an order gets there: from the first object applied to nginx's first 200, one
 * after the other; then 200 running orders, and what it costs agent and API server to poll all of them as the agent does. Runs in a network
 * namespace of its own: `node scripts/test/inNetworkNamespace.ts -- node bench/agent/cluster.bench.ts`.
 */
const NGINX = 2
const ROUNDS = 15
const ORDERS = 200
const AT_ONCE = 10
const POLLS = 6
/** Interval at which a running agent polls an order. */
const POLL_SECONDS = AGENT_TIMES.reconcileMs / 1000
const REGISTRY = 'registry.invalid'
const ALLOWANCE = { cores: 0.25, memoryBytes: 2 ** 26, diskBytes: 2 ** 26, gpus: [] }
/** So small that 200 fit next to the cluster itself. */
const TINY = { cores: 0.005, memoryBytes: 2 ** 24, diskBytes: 2 ** 20, gpus: [] }
const TICKS_PER_SECOND = 100

const reason = whyNoCluster()
if (reason) {
  console.log(`Not measured: ${reason}.`)
  process.exit(0)
}
const data = mkdtempSync(join(tmpdir(), 'rackfair-cluster-bench-'))
const cluster = await startCluster()
try {
  const preset = loadCatalog().get(NGINX)
  const image = preset && recipeOf(preset.app.image, PRESETS_FOLDER)
  if (!image) throw new Error('no recipe of nginx')
  const { app } = preset
  const { entrypoint, command, user } = image.recipe
  const tar = await rootfsTar(image, IMAGE_CACHE, { onProgress: console.log })
  await cluster.addImage(tar, `${REGISTRY}/rackfair/nginx:latest`, { Entrypoint: entrypoint, Cmd: command, User: user })
  await cluster.addDisks(ROUNDS + 1, ALLOWANCE.diskBytes)
  const settings = kubernetesSettings.parse({
    ...{ kubeconfig: cluster.kubeconfig.admin, registry: REGISTRY, diskGb: 100 },
    wall: { bridge: 'pods0', subnet: POD_CIDR },
  })
  const runtime = await createKubernetesRuntime({ instance: newInstance(), data, settings })
  const name = await runtime.ensureImage(app)
  const timed = async (what: () => Promise<unknown>) => {
    const begun = performance.now()
    await what()
    return performance.now() - begun
  }
  const firstAnswer = async (orderId: bigint) => {
    await runtime.create({ orderId, deploymentId: 'd', slot: Number(orderId), app, env: {}, allowance: ALLOWANCE }, name)
    await runtime.start(orderId)
    while (!(await runtime.probe(orderId, app.probe))) await sleep(10)
  }
  const row = (what: string, taken: readonly number[]) => [
    what,
    ...[0.5, 0.95].map((share) => percentile(taken, share).toFixed(0)),
  ]

  const [started, removed]: number[][] = [[], []]
  for (let round = 0n; round <= ROUNDS; round += 1n) {
    const [start, remove] = [await timed(() => firstAnswer(round)), await timed(() => runtime.remove(round, { wipe: true }))]
    // The first one is a cold start.
    if (round === 0n) continue
    started?.push(start)
    removed?.push(remove)
  }
  const sleeping = { ...app, volumes: [], command: ['sleep', 'infinity'], args: undefined }
  const orders = Array.from({ length: ORDERS }, (_, index) => BigInt(ROUNDS + 1 + index))
  const ran: number[] = []
  const waiting = [...orders]
  const startOne = async (orderId: bigint) => {
    await runtime.create({ orderId, deploymentId: 'd', slot: Number(orderId), app: sleeping, env: {}, allowance: TINY }, name)
    await runtime.start(orderId)
  }
  const all = await timed(() =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const orderId = next
          ran.push(await timed(() => startOne(orderId)))
        }
      }),
    ),
  )
  const running = (await runtime.list()).filter((one) => one.running).length
  const server = Number(execFileSync('pgrep', ['-f', `kube-apiserver .*${cluster.folder}`], { encoding: 'utf8' }))
  const serverSeconds = () => {
    const fields = readFileSync(`/proc/${server}/stat`, 'utf8').split(' ')
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  }
  const agentSeconds = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const [listed, polled]: number[][] = [[], []]
  const before = { agent: agentSeconds(), server: serverSeconds() }
  for (let poll = 0; poll < POLLS; poll += 1) {
    listed?.push(await timed(() => runtime.list()))
    const one = async (orderId: bigint) => {
      await runtime.find(orderId)
      await runtime.probe(orderId, { kind: 'started', periodSeconds: 1, failures: 1 })
    }
    polled?.push(await timed(() => Promise.all(orders.map(one))))
  }
  const shareOf = (seconds: number) => `${((seconds / POLLS / POLL_SECONDS) * 100).toFixed(0)} %`
  const spent = { agent: agentSeconds() - before.agent, server: serverSeconds() - before.server }
  const serverMb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server}/status`, 'utf8'))?.[1]) / 1024
  table(
    ['one node, image present', 'p50 ms', 'p95 ms'],
    [
      row('applied to the first 200', started ?? []),
      row('removed with its disk', removed ?? []),
      row(`applied to running, ${AT_ONCE} of ${ORDERS} at once`, ran),
      row(`all ${ORDERS} listed`, listed ?? []),
      row(`each of ${ORDERS} polled`, polled ?? []),
    ],
  )
  console.log(`\n${running} of ${ORDERS} orders run, ${(all / 1000).toFixed(1)} s after the first was applied.`)
  console.log(
    `Polled every ${POLL_SECONDS} s they take ${shareOf(spent.agent)} of a core in the agent, ${shareOf(spent.server)} in the API server,`,
  )
  console.log(`which have ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} and ${serverMb.toFixed(0)} MB.`)
  await runtime.close({ stopWorkloads: false })
} finally {
  await cluster.stop()
  rmSync(data, { recursive: true, force: true })
}
