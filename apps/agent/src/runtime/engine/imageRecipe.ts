import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const words = z.array(z.string().min(1).max(200)).max(32)

/** How an image is made from Debian packages where no registry can be reached: `presets/images/<name>/recipe.json` and `root/`. */
export const imageRecipe = z.strictObject({
  name: z.string().regex(/^localhost\/rackfair\/[a-z0-9-]+$/),
  suite: z.string().regex(/^[a-z]+$/),
  packages: z.array(z.string().regex(/^[a-z0-9][a-z0-9.+-]+$/)).min(1),
  remove: z.array(z.string().regex(/^\/[\w./*-]+$/)),
  entrypoint: words,
  command: words,
  user: z.string().regex(/^\d+:\d+$/),
  port: z.number().int().min(0).max(65_535),
})
export type ImageRecipe = z.infer<typeof imageRecipe>
/** A recipe and the folder of the files that go into its image. */
export interface LocalImage {
  recipe: ImageRecipe
  root: string
}

const LOCAL = /^localhost\/rackfair\/([a-z0-9-]+)$/

/** The recipe of an image that is built here; undefined for one that comes from a registry. */
export function recipeOf(image: string, presetsFolder: string): LocalImage | undefined {
  const name = LOCAL.exec(image)?.[1]
  if (name === undefined) return undefined
  const folder = join(presetsFolder, 'images', name)
  return { recipe: imageRecipe.parse(JSON.parse(readFileSync(join(folder, 'recipe.json'), 'utf8'))), root: join(folder, 'root') }
}
