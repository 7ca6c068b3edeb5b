import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type ImageConfig, imageConfigOf } from '../engine/imageConfig.ts'
import { layerName, openUnpackedLayers } from './unpackedLayers.ts'

const described = z.object({ config: z.unknown().optional(), rootfs: z.object({ diff_ids: z.array(z.string()) }) })

/**
 * The images of renters as an overlay wants them: `layers` has a folder for each layer, `images` the configuration of each image by its id.
 * What is in it is whole: a pull hands over the layers of an image that it has got to the end.
 */
export function openLayerStore(root: string) {
  const [layers, images, gone] = ['layers', 'images', 'gone'].map((name) => join(root, name)) as [string, string, string]
  for (const folder of [layers, images, gone]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  let removed = 0
  const begun = Date.now()
  const emptied = () =>
    Promise.all(readdirSync(gone).map((name) => rm(join(gone, name), { recursive: true, force: true, maxRetries: 5 })))
  /** Takes a folder away at once; what was in it may take a while. */
  const discard = (folder: string): Promise<unknown> => {
    if (!existsSync(folder)) return Promise.resolve()
    const at = join(gone, `${begun}-${process.pid}-${removed}`)
    removed += 1
    renameSync(folder, at)
    return rm(at, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  }
  const layersOf = (imageId: string) => {
    const file = join(images, imageId)
    if (!existsSync(file)) return undefined
    const image = described.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
    // A layer that is there twice counts where it is on top: it hides the other one.
    const names = image && [...new Set(image.rootfs.diff_ids.toReversed().map(layerName))]
    return image && names ? { config: image.config ?? {}, names } : undefined
  }
  void emptied().catch(() => {})

  return {
    discard,

    /** What an image says of itself, and its layers; undefined if it is not whole here. */
    find(imageId: string): ImageConfig | undefined {
      const image = layersOf(imageId)
      const folders = image?.names.map((name) => join(layers, name))
      if (!image || !folders?.every((folder) => existsSync(folder))) return undefined
      return { ...imageConfigOf({ Config: image.config }), layers: folders }
    },

    /** Takes over an image whose layers were unpacked below `folder`, or are here already. */
    take(folder: string, imageId: string, config: Buffer, diffIds: readonly string[]): void {
      const from = openUnpackedLayers(folder)
      for (const diffId of diffIds) {
        const to = join(layers, layerName(diffId))
        if (!existsSync(to)) renameSync(from.place(diffId), to)
      }
      writeFileSync(join(images, `${imageId}.new`), config, { mode: 0o600 })
      renameSync(join(images, `${imageId}.new`), join(images, imageId))
    },

    /** Removes every image but these, and every layer that none of them has. */
    keep(imageIds: ReadonlySet<string>): void {
      const kept = new Set<string>()
      for (const name of readdirSync(images))
        if (imageIds.has(name)) for (const layer of layersOf(name)?.names ?? []) kept.add(layer)
        else void discard(join(images, name))
      for (const name of readdirSync(layers)) if (!kept.has(name)) void discard(join(layers, name))
    },
  }
}
export type LayerStore = ReturnType<typeof openLayerStore>
