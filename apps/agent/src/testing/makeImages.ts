import { loadCatalog, PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { rootfsTar } from '../runtime/engine/buildImage.ts'
import { recipeOf } from '../runtime/engine/imageRecipe.ts'
import { makeCleanMachine } from './cleanMachine.ts'
import { busybox, debianTar } from './ownImageBase.ts'
import { fetchPackages } from './packageMirror.ts'
import { IMAGE_CACHE } from './setupAgent.ts'
import { whyNoContainers } from './whyNoContainers.ts'

/** Before any test's clock runs: packages come from the network, and a container is expected within seconds. */
export async function setup(): Promise<void> {
  if (whyNoContainers()) return
  await busybox().catch(console.error)
  await debianTar().catch(console.error)
  await makeCleanMachine().then(fetchPackages).catch(console.error)
  for (const { app } of loadCatalog().values()) {
    const local = recipeOf(app.image, PRESETS_FOLDER)
    // Those tests that need it say what is missing.
    if (local) await rootfsTar(local, IMAGE_CACHE, console.log).catch(console.error)
  }
}

if (import.meta.main) await setup()
