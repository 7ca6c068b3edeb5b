import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { PRESETS_FOLDER } from '../../presets/loadCatalog.ts'
import { makeImageCache } from '../../testing/recipeImages.ts'
import { setupRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { imageConfigOf } from './imageConfig.ts'
import { recipeOf } from './imageRecipe.ts'
import { libpod } from './libpod.ts'

const reason = whyNoContainers()
const NGINX = 2

describe.skipIf(reason)(`the image of a recipe (${reason ?? 'here'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-recipes-'))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('has the same id on each machine, whatever its folder and the time of its file', async () => {
    const ids = new Set<string>()
    const built = makeImageCache(join(folder, 'built'))
    for (const [at, cache] of ['one', 'two'].entries()) {
      const imageCache = join(folder, cache)
      mkdirSync(imageCache)
      for (const name of readdirSync(built).filter((one) => one.includes('nginx'))) {
        copyFileSync(realpathSync(join(built, name)), join(imageCache, name))
        utimesSync(join(imageCache, name), at * 1000, at * 1000)
      }
      const market = await setupRuntime({ imageCache })
      try {
        const id = await market.runtime.ensureImage(market.app(NGINX))
        ids.add(id)
        const recipe = recipeOf(market.app(NGINX).image, PRESETS_FOLDER)?.recipe
        expect(imageConfigOf(await libpod(market.docker, 'GET', `/images/${id}/json`))).toMatchObject({
          ...{ entrypoint: recipe?.entrypoint, command: recipe?.command, user: recipe?.user },
          env: [expect.stringMatching(/^PATH=/)],
        })
      } finally {
        await market.close()
      }
    }
    expect(ids.size).toBe(1)
    // Other bytes are another image.
    const [tar = ''] = readdirSync(join(folder, 'two')).filter((one) => one.endsWith('.tar'))
    rmSync(join(folder, 'two', 'store.json'))
    appendFileSync(join(folder, 'two', tar), Buffer.alloc(512))
    // The store may have been moved meanwhile.
    renameSync(join(folder, 'two'), join(folder, 'three'))
    const market = await setupRuntime({ imageCache: join(folder, 'three') })
    ids.add(await market.runtime.ensureImage(market.app(NGINX)))
    await market.close()
    expect(ids.size).toBe(2)
  })
})
