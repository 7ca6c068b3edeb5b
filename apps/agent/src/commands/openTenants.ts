import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentConfig } from '../config/agentConfig.ts'
import { sayingLog } from '../foundation/log.ts'
import { PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { createEngineRuntime } from '../runtime/engine/createEngineRuntime.ts'
import type { Runtime } from '../runtime/Runtime.ts'

/** The runtime of an agent that is not running itself; undefined if it has never run an order. */
export async function openTenants(config: AgentConfig, data: string, say: (line: string) => void): Promise<Runtime | undefined> {
  const { instance, kubernetes: settings, resolvers } = config
  if (settings) {
    const { createKubernetesRuntime } = await import('../runtime/kubernetes/createKubernetesRuntime.ts')
    return createKubernetesRuntime({ instance, data, settings, resolvers })
  }
  if (!existsSync(join(data, 'engine'))) return undefined
  return createEngineRuntime({
    ...{ instance, data, presetsFolder: config.presetsFolder ?? PRESETS_FOLDER },
    ...{ imageCache: config.imageCache, dockerSocket: config.dockerSocket, log: sayingLog(say) },
  })
}
