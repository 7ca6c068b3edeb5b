import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isLost } from '@rackfair/rules/order/money'
import { isTerminal } from '@rackfair/rules/order/status'
import { openChain, standingOf } from '../chain/read/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import { openAgentDb } from '../db/openAgentDb.ts'
import { gatewayAnswers } from '../doors/gateway/gatewayAnswers.ts'
import { hostOf } from '../foundation/hiddenSecrets.ts'
import { sayingLog } from '../foundation/log.ts'
import { runCommand } from '../foundation/runCommand.ts'
import { offeredHardware } from '../machine/detect/offeredHardware.ts'
import { detectGpus } from '../machine/gpu/detectGpus.ts'
import { tryGpu } from '../machine/gpu/tryGpu.ts'
import { nodesTakenOff } from '../orders/gpuNodes.ts'
import { loadCatalog, PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { createEngineRuntime, type EngineRuntime } from '../runtime/engine/createEngineRuntime.ts'
import { recipeOf } from '../runtime/engine/imageRecipe.ts'
import { workloadName } from '../runtime/engine/names.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from '../runtime/engine/podmanService.ts'
import { beginTrial } from '../runtime/engine/trial.ts'
import type { Output } from './output.ts'
import { presetsFor } from './presetsFor.ts'

const SELF_TEST_ORDER = 18_446_744_073_709_551_615n
const NGINX = 2

/**
 * Fetches the images of the applications in `names`, or of all that this machine can run: recipes are built, the others pulled
 * and pinned. Images already approved and present stay as they are; `update` pulls again, and approves what the tag resolves to.
 */
export async function syncImages(
  config: AgentConfig,
  data: string,
  { names, update }: { names: readonly string[]; update: boolean },
  output: Output,
): Promise<void> {
  const presetsFolder = config.presetsFolder ?? PRESETS_FOLDER
  const presets = [...loadCatalog(presetsFolder).values()]
  const known = presets.map(({ wire }) => wire.name as string)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new AppError('bad_request', `the catalogue has no ${unknown.join(', ')}; it has ${known.join(', ')}`)
  const wanted =
    names.length > 0
      ? presets.filter(({ wire }) => names.includes(wire.name))
      : presetsFor(presets, await offeredHardware(config, data), Boolean(config.gateway.appPorts))
  const left = presets.filter((preset) => names.length === 0 && !wanted.includes(preset)).map(({ wire }) => wire.name)
  if (left.length > 0) output.say(`left out, as this machine is too small or has no ports for them: ${left.join(', ')}`)
  const runtime = await openRuntime(config, data, config.instance, output)
  const results: { preset: string; image: string; imageId?: string; problem?: string }[] = []
  try {
    for (const { wire, app } of wanted) {
      try {
        const say = (line: string) => output.say(`${wire.name}: ${line}`)
        const there = recipeOf(app.image, presetsFolder) || (!update && (await runtime.images.find(app)))
        const imageId = there ? await runtime.images.ensure(app, say) : await runtime.images.pull(app, say)
        results.push({ preset: wire.name, image: app.image, imageId })
      } catch (error) {
        results.push({ preset: wire.name, image: app.image, problem: (error as Error).message })
      }
    }
  } finally {
    await runtime.detach()
  }
  output.result(results, results.map((one) => `${one.preset}: ${one.imageId ?? `not available (${one.problem})`}`).join('\n'))
  const missing = results.filter((one) => one.problem).map((one) => one.preset)
  if (missing.length > 0)
    throw new AppError(
      'image_missing',
      `no image of ${missing.join(', ')}: orders with ${missing.length === 1 ? 'it' : 'them'} will fail here`,
    )
}

/** Deploys nginx on this machine through the production path of image, isolation, network and probe, visits it, and cleans up. */
export async function selfTest(config: AgentConfig, data: string, output: Output): Promise<void> {
  const started = performance.now()
  const steps: { step: string; ms: number }[] = []
  const step = (name: string) => {
    steps.push({ step: name, ms: Math.round(performance.now() - started) })
    output.say(`${name} (${steps.at(-1)?.ms} ms)`)
  }
  const preset = loadCatalog(config.presetsFolder ?? PRESETS_FOLDER).get(NGINX)
  if (!preset) throw new AppError('preset_unknown', 'the catalogue has no nginx')
  const trial = await beginTrial('rackfair-self-test-')
  const imageCache = config.imageCache ?? join(data, 'images')
  const runtime = await openRuntime({ ...config, imageCache }, trial.folder, trial.instance, output)
  try {
    const imageId = await runtime.ensureImage(preset.app, (line) => output.say(line))
    step('image')
    const allowance = { cores: 1, memoryBytes: 2 ** 29, diskBytes: 2 ** 30, gpus: [] }
    await runtime.create(
      { orderId: SELF_TEST_ORDER, deploymentId: 'self-test', slot: 0, app: preset.app, env: {}, allowance },
      imageId,
    )
    step('created')
    await runtime.start(SELF_TEST_ORDER)
    step('started')
    const deadline = performance.now() + 30_000
    while (!(await runtime.probe(SELF_TEST_ORDER, preset.app.probe))) {
      if (performance.now() > deadline) throw new AppError('start_timeout', 'nginx does not answer')
      await sleep(50)
    }
    step('answers')
    await runtime.remove(SELF_TEST_ORDER, { wipe: true })
    step('cleaned')
    for (const gpu of await detectGpus()) {
      await tryGpu({ runtime, app: preset.app, imageId, slot: 0 }, gpu)
      step(`GPU ${gpu.device} (${gpu.model})`)
    }
  } finally {
    await runtime.close({ stopWorkloads: true })
    await trial.end(output.say)
  }
  output.result({ ok: true, steps }, 'This machine runs orders.')
}

/** Prints what the agent knows, and what the chain says about it; without a chain, only the former. */
export async function status(config: AgentConfig, data: string, output: Output): Promise<void> {
  const running = await gatewayAnswers(config.gateway)
  const file = join(data, 'agent.sqlite')
  const state = existsSync(file) ? openAgentDb(file) : undefined
  const deployments =
    state
      ?.commands()
      .map((one) => ({ orderId: String(one.orderId), preset: one.deployId, phase: state.deployment(one.deploymentId)?.phase })) ??
    []
  const takenOff = state ? nodesTakenOff(state) : new Set()
  state?.close()
  const { chain, nodes } = await readChain(config).catch((error: AppError) => {
    if (error.code !== 'chain_unreachable') throw error
    return { chain: null, nodes: null }
  })
  const lines = [
    `agent ${running ? 'runs' : 'does not run'}; ${chain ? `chain ${chain.id} at block ${chain.block}` : `the chain does not answer (${hostOf(config.rpcUrl)})`}`,
    ...(nodes ?? []).map(
      (row) =>
        `node ${row.node}: ${standingOnMarket(row.online, running, takenOff.has(String(row.node)))}, ${row.order ? `order ${row.order} (${row.standing})${row.away ? ', away for 24 h by final reports: anyone can close it' : ''}` : 'idle'}`,
    ),
    ...deployments.map((one) => `order ${one.orderId}: preset ${one.preset} is ${one.phase}`),
  ]
  output.result({ running, provider: config.provider, chain, nodes, deployments }, lines.join('\n'))
}

const standingOnMarket = (online: boolean, running: boolean, takenOff: boolean): string => {
  if (!online) return takenOff ? 'taken off the market: no working GPU (see the log)' : 'drained'
  return running ? 'on the market' : 'listed, but Offline: the agent is not running'
}

async function readChain(config: AgentConfig) {
  const view = await openChain(config)
  const [head, nodes] = await Promise.all([view.head(), view.nodes()])
  const rows = await Promise.all(
    nodes.map(async (node) => {
      const order = node.orderId === 0n ? undefined : await view.order(node.orderId)
      return {
        node: Number(node.id),
        online: node.online,
        deployed: node.avail,
        order: node.orderId === 0n ? null : String(node.orderId),
        standing: order ? standingOf(order, head.timestamp) : null,
        away: order !== undefined && !isTerminal(order.status) && isLost(order, head.timestamp),
      }
    }),
  )
  return { chain: { id: config.chainId, block: Number(head.number) }, nodes: rows }
}

/** Prints the last lines of an order's application. */
export async function logs(config: AgentConfig, data: string, orderId: string, lines: string, output: Output): Promise<void> {
  if (!/^\d{1,20}$/.test(orderId)) throw new AppError('bad_request', `${orderId} is not the number of an order`)
  if (!/^\d{1,6}$/.test(lines)) throw new AppError('bad_request', `--lines: ${lines} is not a number of lines`)
  const paths = podmanPaths(join(data, 'engine'), config.instance)
  const name = workloadName(config.instance, BigInt(orderId))
  const { code, stdout, stderr } = config.dockerSocket
    ? await runCommand('docker', ['-H', `unix://${config.dockerSocket}`, 'logs', '--tail', lines, name])
    : await runCommand('podman', [...podmanArguments(paths), 'logs', '--tail', lines, name], { env: podmanEnvironment(paths) })
  if (code !== 0) {
    if (/no such container/i.test(stderr)) throw new AppError('not_found', `order ${orderId} has no container on this machine`)
    throw new AppError('engine_unavailable', `the container engine does not say: ${stderr.trim().slice(-300)}`, {
      retryable: true,
    })
  }
  output.result({ order: orderId, stdout, stderr }, `${stdout}${stderr}`.trimEnd())
}

async function openRuntime(
  config: AgentConfig,
  data: string,
  instance: string,
  output: Output,
): Promise<EngineRuntime & { detach(): Promise<void> }> {
  const running = existsSync(join(podmanPaths(data, instance).run, 'service.pid'))
  const runtime = await createEngineRuntime({
    instance,
    data,
    presetsFolder: config.presetsFolder ?? PRESETS_FOLDER,
    imageCache: config.imageCache,
    dockerSocket: config.dockerSocket,
    resolvers: config.resolvers,
    log: sayingLog(output.say),
  })
  // A service in use by a running agent is not ours to stop.
  return Object.assign(runtime, { detach: () => (running ? Promise.resolve() : runtime.close({ stopWorkloads: false })) })
}
