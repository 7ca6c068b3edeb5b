import { AppError } from '@rackfair/core'
import type { Log } from '../log.ts'
import type { Preset } from '../presets/loadCatalog.ts'
import type { EngineRuntime } from '../runtime/engine/createEngineRuntime.ts'

/**
 * Builds the images of some applications one after the other while the agent runs, so that their first deploy does not wait for it.
 * One that cannot be built is said and left to its first deploy.
 */
export async function prepareImages(
  { images }: Pick<EngineRuntime, 'images'>,
  names: readonly string[],
  presets: readonly Preset[],
  log: Log,
): Promise<void> {
  for (const { wire, app } of presets) {
    if (!names.includes(wire.name)) continue
    const began = performance.now()
    try {
      const built = await images.prepare(app, (line) => log.info('image in the background', { application: wire.name, line }))
      const seconds = Math.round((performance.now() - began) / 1000)
      if (built) log.info('the image is ready for its first deploy', { application: wire.name, seconds })
    } catch (error) {
      if (error instanceof AppError && error.code === 'agent_busy') return
      log.warn('an image could not be built ahead; its first deploy tries again', {
        application: wire.name,
        reason: error instanceof Error ? error.message : String(error),
      })
    }
  }
}
