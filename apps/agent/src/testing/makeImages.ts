import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCatalog, PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { makeBase, rootfsTar } from '../runtime/engine/buildImage.ts'
import { recipeOf } from '../runtime/engine/imageRecipe.ts'
import { makeCleanMachine, makeRecipesDebian } from './cleanMachine.ts'
import { busybox, debianTar, isDeep } from './ownImageBase.ts'
import { fetchPackages } from './packageMirror.ts'
import { IMAGE_CACHE } from './setupAgent.ts'
import { whyNoContainers } from './whyNoContainers.ts'

/** Before any test's clock runs: packages come from the network, and a container is expected within seconds. */
export async function setup(): Promise<void> {
  if (whyNoContainers()) return
  const { base, remove } = lazyBase()
  await busybox().catch(console.error)
  await debianTar(base).catch(console.error)
  await makeCleanMachine(base).then(fetchPackages).catch(console.error)
  if (isDeep) await makeRecipesDebian(base).catch(console.error)
  for (const { app } of loadCatalog().values()) {
    const local = recipeOf(app.image, PRESETS_FOLDER)
    // Those tests that need it say what is missing.
    if (local) await rootfsTar(local, IMAGE_CACHE, { onProgress: console.log, base }).catch(console.error)
  }
  remove()
}

/** One Debian for all images of this run, made when the first of them has to be built. */
function lazyBase() {
  let folder: string | undefined
  let made: Promise<string> | undefined
  const make = async () => {
    folder = mkdtempSync(join(tmpdir(), 'rackfair-base-'))
    const tar = join(folder, 'base.tar')
    await makeBase('bookworm', tar)
    return tar
  }
  return {
    base: () => {
      made ??= make()
      return made
    },
    remove: () => folder && rmSync(folder, { recursive: true, force: true }),
  }
}

if (import.meta.main) await setup()
