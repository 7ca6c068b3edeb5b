import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { POD_CIDR, startCluster, whyNoCluster } from '@rackfair/testkit'
import { newInstance } from '../../apps/agent/src/config/agentConfig.ts'
import { kubernetesSettings } from '../../apps/agent/src/config/kubernetesSettings.ts'
import { loadCatalog, PRESETS_FOLDER } from '../../apps/agent/src/presets/loadCatalog.ts'
import { rootfsTar } from '../../apps/agent/src/runtime/engine/buildImage.ts'
import { recipeOf } from '../../apps/agent/src/runtime/engine/imageRecipe.ts'
import { createKubernetesRuntime } from '../../apps/agent/src/runtime/kubernetes/createKubernetesRuntime.ts'
import { IMAGE_CACHE } from '../../apps/agent/src/testing/setupAgent.ts'
import { percentile, table } from '../platform/table.ts'

/**
 * A cluster of one node on this machine, with everything that an order gets there: from the first object applied to nginx's first 200, one
 * after the other, and what the API server answers while 200 orders lie on it. Runs in a network namespace of its own:
 * `node scripts/test/inNetworkNamespace.ts -- node bench/agent/cluster.bench.ts`.
 */
const NGINX = 2
const ROUNDS = 15
const ORDERS = 200
/** Of the orders that lie on the API server; the node of this cluster has no room for so many to run. */
const AT_ONCE = 10
const LOOKS = 20
const REGISTRY = 'registry.invalid'
const ALLOWANCE = { cores: 0.25, memoryBytes: 2 ** 26, diskBytes: 2 ** 26, gpus: [] }

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
  const apply = (orderId: bigint) =>
    runtime.create({ orderId, deploymentId: 'd', slot: Number(orderId), app, env: {}, allowance: ALLOWANCE }, name)
  const timed = async (what: () => Promise<unknown>) => {
    const begun = performance.now()
    await what()
    return performance.now() - begun
  }
  const firstAnswer = async (orderId: bigint) => {
    await apply(orderId)
    await runtime.start(orderId)
    while (!(await runtime.probe(orderId, app.probe))) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const row = (what: string, taken: readonly number[]) => [
    what,
    ...[0.5, 0.95].map((share) => percentile(taken, share).toFixed(0)),
  ]

  const [started, removed]: number[][] = [[], []]
  for (let round = 0n; round <= ROUNDS; round += 1n) {
    const [start, remove] = [await timed(() => firstAnswer(round)), await timed(() => runtime.remove(round, { wipe: true }))]
    // The first one finds nothing warm.
    if (round === 0n) continue
    started?.push(start)
    removed?.push(remove)
  }
  const orders = Array.from({ length: ORDERS }, (_, index) => BigInt(ROUNDS + 1 + index))
  const [applied, listed, found]: number[][] = [[], [], []]
  const waiting = [...orders]
  const all = await timed(() =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const orderId = next
          applied?.push(await timed(() => apply(orderId)))
        }
      }),
    ),
  )
  for (let look = 0; look < LOOKS; look += 1) {
    listed?.push(await timed(() => runtime.list()))
    found?.push(await timed(() => runtime.find(orders[look] as bigint)))
  }
  table(
    ['one node, image present', 'p50 ms', 'p95 ms'],
    [
      row('applied to the first 200', started ?? []),
      row('removed with its disk', removed ?? []),
      row(`applied, ${AT_ONCE} of ${ORDERS} at once`, applied ?? []),
      row(`all ${ORDERS} looked at`, listed ?? []),
      row(`one of ${ORDERS} looked at`, found ?? []),
    ],
  )
  console.log(`\n${ORDERS} orders were applied in ${(all / 1000).toFixed(1)} s; ${(await runtime.list()).length} are there.`)
  await runtime.close({ stopWorkloads: false })
} finally {
  await cluster.stop()
  rmSync(data, { recursive: true, force: true })
}
