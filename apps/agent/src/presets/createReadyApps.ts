import type { RunSpec } from '../runtime/RunSpec.ts'
import type { Preset } from './loadCatalog.ts'

/** An unresponsive engine must not keep the agent from announcing itself. */
const WAIT_MS = 2000

/** Names of the catalogue's applications whose image is known to be present. `isReady` may fail while the engine is unreachable. */
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
