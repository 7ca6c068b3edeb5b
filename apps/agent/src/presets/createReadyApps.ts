import type { RunSpec } from '../runtime/RunSpec.ts'
import type { Preset } from './loadCatalog.ts'

/** An engine that does not answer must not keep the agent from saying that it is there. */
const WAIT_MS = 2000

/** The applications of the catalogue whose image is there, by name, as far as that is known. `isReady` may fail while the engine is away. */
export function createReadyApps(presets: readonly Preset[], isReady: (app: RunSpec) => Promise<boolean>) {
  let known: readonly string[] | undefined
  let asking: Promise<void> | undefined
  const ask = async () => {
    const found: string[] = []
    for (const { wire, app } of presets) if (await isReady(app)) found.push(wire.name)
    known = found
  }
  return async (): Promise<readonly string[] | undefined> => {
    asking ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asking = undefined
      })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAIT_MS)
    })
    await Promise.race([asking, late])
    clearTimeout(timer)
    return known
  }
}
