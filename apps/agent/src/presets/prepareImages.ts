import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Log } from '../foundation/log.ts'
import { reasonOf } from '../foundation/reasonOf.ts'
import type { EngineRuntime } from '../runtime/engine/createEngineRuntime.ts'
import type { Preset } from './loadCatalog.ts'

interface PrepareOptions {
  runtime: Pick<EngineRuntime, 'images'>
  /** The applications to build images for. */
  names: readonly string[]
  presets: readonly Preset[]
  /** Where each build's output is kept: `<application>.log`, for the last build only. */
  folder: string
  log: Log
}

/**
 * Builds the images of some applications one after the other while the agent runs, so that their first deploy does not wait for the build.
 * The agent's log reports each start, success and failure; an image that fails to build is left to its first deploy.
 */
export async function prepareImages({ runtime: { images }, names, presets, folder, log }: PrepareOptions): Promise<void> {
  for (const { wire, app } of presets) {
    if (!names.includes(wire.name)) continue
    const application = wire.name
    const lines = join(folder, `${application}.log`)
    const began = performance.now()
    const seconds = () => Math.round((performance.now() - began) / 1000)
    let begun = false
    try {
      const built = await images.prepare(app, (line) => {
        if (!begun) {
          mkdirSync(folder, { recursive: true })
          writeFileSync(lines, '')
          log.info('building an image in the background', { application, lines })
        }
        begun = true
        appendFileSync(lines, `${seconds()} s  ${line}\n`)
      })
      if (built) log.info('the image is ready for its first deploy', { application, seconds: seconds() })
    } catch (error) {
      if (error instanceof AppError && error.code === 'agent_busy') return
      const reason = reasonOf(error)
      log.warn('an image could not be built ahead; its first deploy tries again', { application, reason, lines })
    }
  }
}
