import { createHash } from 'node:crypto'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentConfig } from '../config/agentConfig.ts'
import type { AgentDb } from '../db/openAgentDb.ts'
import type { Log } from '../foundation/log.ts'
import type { Preset } from '../presets/loadCatalog.ts'
import { createEngineRuntime, type EngineRuntime } from '../runtime/engine/createEngineRuntime.ts'
import type { Runtime } from '../runtime/Runtime.ts'
import type { Hardware } from './detect/detectHardware.ts'

const NGINX = 2

/** The runtime that orders run on, the engine's images if it has any, and the hardware it offers. */
interface Opened {
  runtime: Runtime & Partial<Pick<EngineRuntime, 'images' | 'firewall'>>
  images: EngineRuntime['images'] | undefined
  hardware: Hardware
}

/**
 * The container engine of this machine, or the cluster of the configuration.
 * @throws AppError `isolation_unavailable` for a cluster that does not contain its tenants.
 */
export async function openRuntime(options: {
  config: AgentConfig
  data: string
  presets: ReadonlyMap<number, Preset>
  presetsFolder: string
  ofThisMachine: Hardware
  state: AgentDb
  log: Log
}): Promise<Opened> {
  const { config, data, presetsFolder, ofThisMachine, log } = options
  if (config.kubernetes) return openCluster(options, config.kubernetes)
  const runtime = await createEngineRuntime({
    instance: config.instance,
    data,
    presetsFolder,
    imageCache: config.imageCache,
    dockerSocket: config.dockerSocket,
    overcommitDisk: config.overcommitDisk,
    resolvers: config.resolvers,
    ownImages: config.ownImages,
    log,
  })
  return { runtime, images: runtime.images, hardware: ofThisMachine }
}

/** Imported only for a cluster: other agents never load its library. */
async function openCluster(
  { config, data, presets, ofThisMachine, state, log }: Parameters<typeof openRuntime>[0],
  settings: NonNullable<AgentConfig['kubernetes']>,
): Promise<Opened> {
  const { createKubernetesRuntime } = await import('../runtime/kubernetes/createKubernetesRuntime.ts')
  const { conformance } = await import('../runtime/kubernetes/conformance.ts')
  const { clusterHardware } = await import('./detect/clusterHardware.ts')
  const { instance, resolvers, ownImages } = config
  const runtime = await createKubernetesRuntime({ instance, data, settings, resolvers, ownImages })
  // Proved once per configuration: an agent that restarts while the cluster is unreachable must still manage its orders.
  const fingerprint = createHash('sha256').update(JSON.stringify(settings)).digest('hex')
  const preset = presets.get(NGINX)
  if (preset && state.fact('conformance') !== fingerprint) {
    const failed = (await conformance({ settings, instance, runtime, app: preset.app })).filter(({ ok }) => !ok)
    if (failed.length > 0) {
      await runtime.close({ stopWorkloads: false })
      const what = failed.map(({ name, found, fix }) => `${name}: ${found}; ${fix}`).join('. ')
      throw new AppError('isolation_unavailable', `the cluster does not hold its tenants. ${what}`)
    }
    state.putFact('conformance', fingerprint)
    log.info('the cluster holds what a tenant must not do')
  }
  return { runtime, images: undefined, hardware: await clusterHardware(settings, ofThisMachine) }
}
