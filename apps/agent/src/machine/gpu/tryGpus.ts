import { AppError } from '@rackfair/rules/errors/AppError'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { toRenter } from '../../foundation/toRenter.ts'
import type { Preset } from '../../presets/loadCatalog.ts'
import { SLOTS } from '../../runtime/engine/subnets.ts'
import type { RunSpec } from '../../runtime/RunSpec.ts'
import type { Runtime } from '../../runtime/Runtime.ts'
import type { GpuWatch } from './createGpuWatch.ts'
import { tryGpu } from './tryGpu.ts'

const NGINX = 2

/** Runs a container with each GPU of this machine; a GPU that fails is not sold until the agent restarts. */
export async function tryGpus(options: {
  runtime: Runtime
  presets: ReadonlyMap<number, Preset>
  usedSlots: () => readonly number[]
  watch: Pick<GpuWatch, 'gpus' | 'fault'>
  log: Log
}): Promise<void> {
  const { runtime, presets, watch, log } = options
  const gpus = watch.gpus.filter(({ vendor }) => vendor !== 'sample')
  if (gpus.length === 0) return
  const [app, imageId] = await imageToTryWith(runtime, presets, log).catch((error: Error) => {
    log.warn('the GPUs were not tried', { reason: reasonOf(error) })
    for (const gpu of gpus) watch.fault(gpu, `it was not tried: ${toRenter(error)}`)
    return [undefined, ''] as const
  })
  if (!app) return
  for (const gpu of gpus) {
    const slot = Array.from({ length: SLOTS }, (_, index) => SLOTS - 1 - index).find((one) => !options.usedSlots().includes(one))
    if (slot === undefined) return log.warn('the GPUs were not tried: every network of this machine is in use')
    try {
      const said = await tryGpu({ runtime, app, imageId, slot }, gpu)
      log.info('a GPU works in a container', { gpu: gpu.device, model: gpu.model, said: said.slice(0, 200) })
    } catch (error) {
      log.warn('a GPU does not work in a container', { gpu: gpu.device, model: gpu.model, reason: reasonOf(error) })
      watch.fault(gpu, toRenter(error))
    }
  }
}

/** nginx is built locally from packages, and has a shell. */
export function appToTryWith(presets: ReadonlyMap<number, Preset>): RunSpec {
  const app = presets.get(NGINX)?.app
  if (!app) throw new AppError('image_missing', 'the catalogue has no nginx to try GPUs with')
  return app
}

export async function imageToTryWith(runtime: Runtime, presets: ReadonlyMap<number, Preset>, log: Log) {
  const app = appToTryWith(presets)
  return [app, await runtime.ensureImage(app, (line) => log.debug('image', { line }))] as const
}
