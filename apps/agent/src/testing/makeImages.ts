import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCatalog, PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { makeBase, rootfsFile, rootfsTar } from '../runtime/engine/buildImage.ts'
import { recipeOf } from '../runtime/engine/imageRecipe.ts'
import { CLEAN_MACHINE, makeCleanMachine, makeRecipesDebian, RECIPES_TAR } from './cleanMachine.ts'
import { forgetOld, keepOnMachine } from './keepOnMachine.ts'
import { BUSYBOX, busybox, DEBIAN, DEBIAN_LAYER, debianLayer, debianTar, isDeep } from './ownImageBase.ts'
import { fetchPackages, PACKAGES } from './packageMirror.ts'
import { IMAGE_CACHE } from './setupAgent.ts'
import { whyNoContainers } from './whyNoContainers.ts'

/** Images that take minutes to build, for tests of a deep run only. */
const LARGE = ['desktop', 'postgresql']

/**
 * Runs before any test timeout starts: packages come from the network, while a container is expected within seconds. Tests that need
 * something that could not be built say so.
 */
export async function setup(): Promise<void> {
  if (whyNoContainers()) return
  forgetOld()
  const { base, remove } = lazyBase()
  const make = (path: string, maker: () => Promise<unknown> | unknown) => keepOnMachine(path, maker).catch(console.error)
  await make(BUSYBOX, busybox)
  await make(DEBIAN, () => debianTar(base))
  await make(DEBIAN_LAYER, () => existsSync(DEBIAN_LAYER) || debianLayer())
  await make(CLEAN_MACHINE, () => makeCleanMachine(base))
  await make(PACKAGES, fetchPackages)
  if (isDeep) await make(RECIPES_TAR, () => makeRecipesDebian(base))
  for (const { app, wire } of loadCatalog().values()) {
    const local = recipeOf(app.image, PRESETS_FOLDER)
    const options = { onProgress: console.log, base }
    if (local && (isDeep || !LARGE.includes(wire.name)))
      await make(rootfsFile(local, IMAGE_CACHE), () => rootfsTar(local, IMAGE_CACHE, options))
  }
  remove()
}

/** One Debian for all images of this run, created when the first of them has to be built. */
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
