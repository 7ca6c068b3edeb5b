import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mainService } from '@rackfair/app-spec/services/Application'
import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import Docker from 'dockerode'
import { sayingLog } from '../foundation/log.ts'
import { loadCatalog, PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { ownApplication, ownEnvironment } from '../presets/ownApplication.ts'
import { createEngineRuntime } from '../runtime/engine/createEngineRuntime.ts'
import { execIn } from '../runtime/engine/execIn.ts'
import { newInstance, workloadName } from '../runtime/engine/names.ts'
import { answers as engineAnswers, podmanPaths } from '../runtime/engine/podmanService.ts'
import { removeEngine } from '../runtime/engine/removeEngine.ts'
import { OWN_IMAGES, type OwnImages } from '../runtime/ownImageRules.ts'
import type { Probe } from '../runtime/RunSpec.ts'
import type { Allowance } from '../runtime/Runtime.ts'
import type { PullProgress } from '../runtime/registry/fetchImage.ts'
import { killProcess } from './killProcess.ts'
import { IMAGE_CACHE } from './setupAgent.ts'

/** For what starts within seconds on an idle machine. */
const HANG_MS = 120_000

interface OwnRun {
  /** Values of its secrets. */
  values?: Record<string, string>
  deploymentId?: string
}

interface RuntimeSetup {
  resolvers?: string[]
  ownImages?: Partial<OwnImages>
  /** The agent's folder; by default a temporary one. */
  data?: string
  imageCache?: string
}

/** A separate runtime with real containers of the presets. */
export async function setupRuntime({ resolvers, ownImages, data: given, imageCache = IMAGE_CACHE }: RuntimeSetup = {}) {
  const instance = newInstance()
  const data = given ?? mkdtempSync(join(tmpdir(), 'rackfair-runtime-'))
  const lines: string[] = []
  const open = () =>
    createEngineRuntime({
      instance,
      data,
      presetsFolder: PRESETS_FOLDER,
      imageCache,
      resolvers,
      ownImages: { ...OWN_IMAGES, ...ownImages },
      log: sayingLog((line) => lines.push(line)),
    })
  const runtime = await open()
  const paths = podmanPaths(join(data, 'engine'), instance)
  const docker = new Docker({ socketPath: paths.socket })
  const presets = loadCatalog()
  const answers = async (orderId: bigint, probe: Probe) => {
    const deadline = performance.now() + HANG_MS
    while (!(await runtime.probe(orderId, probe))) {
      if (performance.now() > deadline) throw new Error(await runtime.logs(orderId, 20))
      await sleep(100)
    }
  }

  return {
    runtime,
    /** The same runtime as a restarted agent opens it. */
    open,
    instance,
    docker,
    data,
    lines,
    app(deployId: number) {
      const preset = presets.get(deployId)
      if (!preset) throw new Error(`no preset ${deployId}`)
      return preset.app
    },
    /** Starts a preset for an order and waits until it answers. */
    async run(orderId: bigint, deployId: number, allowance: Partial<Allowance> = {}, env: Record<string, string> = {}) {
      const app = this.app(deployId)
      const imageId = await runtime.ensureImage(app)
      const full = { cores: 1, memoryBytes: 2 ** 29, diskBytes: 2 ** 28, gpus: [], ...allowance }
      await runtime.create(
        { orderId, deploymentId: `d${orderId}`, slot: Number(orderId), app, env, allowance: full, note: `order ${orderId}` },
        imageId,
      )
      await runtime.start(orderId)
      await answers(orderId, app.probe)
      const state = (await runtime.list()).find((one) => one.orderId === orderId)
      return state?.upstream?.address ?? ''
    },
    /** Starts a renter's own application and waits until it answers. */
    async runOwn(
      orderId: bigint,
      given: Record<string, unknown>,
      { values = {}, deploymentId = `d${orderId}`, ...allowance }: Partial<Allowance> & OwnRun = {},
    ) {
      const { application: spec, problems } = parseApplication(given)
      if (!spec) throw new Error(JSON.stringify(problems))
      const { app } = ownApplication(spec, values)
      const full = { cores: 1, memoryBytes: 2 ** 29, diskBytes: 2 ** 30, gpus: [], ...allowance }
      const pulls: PullProgress[] = []
      const image = await runtime.ensureOwnImage(app, undefined, {
        orderId,
        maxBytes: full.diskBytes,
        share: full,
        onPull: (one) => pulls.push(one),
      })
      const env = ownEnvironment(mainService(spec), values)
      await runtime.create(
        { orderId, deploymentId, slot: Number(orderId), app, env, allowance: full, note: `order ${orderId}` },
        image.imageId,
      )
      await runtime.start(orderId)
      await answers(orderId, app.probe)
      const upstream = (await runtime.find(orderId))?.upstream
      return { ...image, address: upstream?.address ?? '', pulls, app }
    },
    /** Runs a shell command inside the container of an order, or of one of its services. */
    inside: (orderId: bigint, line: string, shell = '/bin/bash', service?: string) =>
      execIn(docker.getContainer(workloadName(instance, orderId, service)), [shell, '-c', line], HANG_MS),
    /** Kills the engine's service silently; `runtime.check` starts it again. */
    async killEngine(): Promise<void> {
      killProcess(readFileSync(join(paths.run, 'service.pid'), 'utf8'))
      while (await engineAnswers(paths.socket)) await sleep(50)
    },
    async close() {
      for (const state of await runtime.list()) await runtime.remove(state.orderId, { wipe: true })
      await runtime.close({ stopWorkloads: true })
      await removeEngine(data, paths.run)
    },
  }
}
export type TestRuntime = Awaited<ReturnType<typeof setupRuntime>>
