import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ARCHITECTURE } from '../registry/createRegistryClient.ts'
import { writeLayout } from '../registry/ociLayout.ts'
import { BUILT_AT, PATH } from './buildImage.ts'
import type { ImageRecipe } from './imageRecipe.ts'

/**
 * Makes an OCI layout out of the root filesystem of a recipe, and answers the id of the image in it. `podman import` takes the time of
 * the file into what it describes, so that the same bytes would have another id on each machine and after each rebuild.
 */
export async function writeRecipeLayout(folder: string, tar: string, recipe: ImageRecipe): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(tar), hash)
  const layer = `sha256:${hash.digest('hex')}`
  const bytes = Buffer.from(JSON.stringify(describe(recipe, layer)))
  const imageId = createHash('sha256').update(bytes).digest('hex')
  const blobs = join(folder, 'blobs', 'sha256')
  mkdirSync(blobs, { recursive: true, mode: 0o700 })
  symlinkSync(realpathSync(tar), join(blobs, layer.slice('sha256:'.length)))
  writeLayout(folder, {
    config: { bytes, digest: `sha256:${imageId}` },
    layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: layer, size: statSync(tar).size, diffId: layer }],
  })
  return imageId
}

const describe = ({ user, entrypoint, command, port }: ImageRecipe, diffId: string) => ({
  created: new Date(BUILT_AT * 1000).toISOString(),
  architecture: ARCHITECTURE,
  os: 'linux',
  config: {
    User: user,
    Env: [PATH],
    ...(entrypoint.length > 0 ? { Entrypoint: entrypoint } : {}),
    Cmd: command,
    ...(port > 0 ? { ExposedPorts: { [`${port}/tcp`]: {} } } : {}),
  },
  rootfs: { type: 'layers', diff_ids: [diffId] },
})
