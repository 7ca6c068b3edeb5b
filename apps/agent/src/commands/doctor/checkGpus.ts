import { join } from 'node:path'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { type Check, check, NO_IMAGE } from '../../foundation/Check.ts'
import { sayingLog } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { detectGpus } from '../../machine/gpu/detectGpus.ts'
import { tryGpu } from '../../machine/gpu/tryGpu.ts'
import { appToTryWith, imageToTryWith } from '../../machine/gpu/tryGpus.ts'
import { loadCatalog, PRESETS_FOLDER } from '../../presets/loadCatalog.ts'
import { createEngineRuntime, type EngineRuntime } from '../../runtime/engine/createEngineRuntime.ts'
import { beginTrial } from '../../runtime/engine/trial.ts'
import type { Gpu } from '../../runtime/Gpu.ts'

const SLOT = 3
const FIX = 'orders with this GPU fail: fix its driver and its CDI file (nvidia-ctk cdi generate), then run doctor again'

/** Runs a container with each GPU of this machine, as an order gets it. */
export async function checkGpus(
  config: AgentConfig,
  data: string,
  machineIsReady: boolean,
  say: (line: string) => void,
): Promise<Check[]> {
  const gpus = await detectGpus()
  if (gpus.length === 0) return []
  const nameOf = (gpu: Gpu) => `GPU ${gpu.device} (${gpu.model})`
  const notTried = (reason: string, fix = FIX) => gpus.map((gpu) => check(nameOf(gpu), false, reason, fix))
  if (!machineIsReady) return notTried('not tried')
  const trial = await beginTrial('rackfair-gpus-')
  const { folder, instance } = trial
  const log = sayingLog(say)
  const presetsFolder = config.presetsFolder ?? PRESETS_FOLDER
  let runtime: EngineRuntime | undefined
  try {
    const imageCache = config.imageCache ?? join(data, 'images')
    runtime = await createEngineRuntime({
      ...{ instance, data: folder, presetsFolder, imageCache, dockerSocket: config.dockerSocket, log },
    })
    const presets = loadCatalog(presetsFolder)
    if (!(await runtime.images.isReady(appToTryWith(presets)))) return notTried(NO_IMAGE.found, NO_IMAGE.fix)
    const [app, imageId] = await imageToTryWith(runtime, presets, log)
    const checks: Check[] = []
    for (const gpu of gpus) {
      say(`starting a container with ${nameOf(gpu)}`)
      const said = await tryGpu({ runtime, app, imageId, slot: SLOT }, gpu).catch((error: Error) => error)
      const ok = typeof said === 'string'
      checks.push(check(nameOf(gpu), ok, ok ? (said.split('\n')[0] ?? '') : reasonOf(said), FIX))
    }
    return checks
  } catch (error) {
    return notTried(reasonOf(error).slice(0, 300))
  } finally {
    await runtime?.close({ stopWorkloads: true }).catch(() => {})
    await trial.end(say)
  }
}
