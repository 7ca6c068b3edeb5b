import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AgentConfig, newInstance } from '../config/agentConfig.ts'
import { detectGpus, type Gpu } from '../gpu/detectGpus.ts'
import { tryGpu } from '../gpu/tryGpu.ts'
import { imageToTryWith } from '../gpu/tryGpus.ts'
import { sayingLog } from '../log.ts'
import { loadCatalog, PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { createEngineRuntime, type EngineRuntime } from '../runtime/engine/createEngineRuntime.ts'
import { podmanPaths } from '../runtime/engine/podmanService.ts'
import { removeEngine } from '../runtime/engine/removeEngine.ts'
import { type Check, check } from './Check.ts'

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
  const notTried = (reason: string) => gpus.map((gpu) => check(nameOf(gpu), false, reason, FIX))
  if (!machineIsReady) return notTried('not tried')
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-gpus-'))
  const instance = newInstance()
  const log = sayingLog(say)
  const presetsFolder = config.presetsFolder ?? PRESETS_FOLDER
  let runtime: EngineRuntime | undefined
  try {
    const imageCache = config.imageCache ?? join(data, 'images')
    runtime = await createEngineRuntime({
      ...{ instance, data: folder, presetsFolder, imageCache, dockerSocket: config.dockerSocket, log },
    })
    const [app, imageId] = await imageToTryWith(runtime, loadCatalog(presetsFolder), log)
    const checks: Check[] = []
    for (const gpu of gpus) {
      say(`starting a container with ${nameOf(gpu)}`)
      const said = await tryGpu({ runtime, app, imageId, slot: SLOT }, gpu).catch((error: Error) => error)
      const ok = typeof said === 'string'
      checks.push(check(nameOf(gpu), ok, ok ? (said.split('\n')[0] ?? '') : said.message, FIX))
    }
    return checks
  } catch (error) {
    return notTried((error as Error).message.slice(0, 300))
  } finally {
    await runtime?.close({ stopWorkloads: true }).catch(() => {})
    await removeEngine(folder, podmanPaths('', instance).run).catch((error: Error) =>
      say(`${folder} is left behind: ${error.message}`),
    )
  }
}
