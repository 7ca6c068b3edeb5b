import { formatImage, parseImage } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { OwnImages } from '../ownImageRules.ts'
import { requireOffered, sizeLimit } from '../ownImageRules.ts'
import type { RunSpec } from '../RunSpec.ts'
import type { OwnImage } from '../Runtime.ts'
import type { RegistryClient } from '../registry/createRegistryClient.ts'

/** What nodes are to pull for a renter's own image: the digest that its name has now, or had when it was deployed. */
export async function describeOwnImage(
  registry: RegistryClient,
  ownImages: OwnImages,
  { app, known, maxBytes }: { app: RunSpec; known: string | undefined; maxBytes: number },
): Promise<OwnImage> {
  // A pod without arguments has those of its image.
  if (!app.command && app.args?.length === 0)
    throw new AppError(
      'app_malformed',
      'in a cluster an image cannot be started without the arguments that it names itself: name its entry point as command',
    )
  const image = parseImage(known ?? app.image)
  if (!image) throw new AppError('app_malformed', `${app.image.slice(0, 200)} is not the name of an image`)
  if (known !== undefined && image.digest) return { imageId: known, image: known, notes: [] }
  requireOffered(ownImages, image)
  const { digest, layers } = await registry.describe(image, {}, app.own?.registry)
  sizeLimit(
    ownImages,
    layers.reduce((sum, { size }) => sum + size, 0),
    maxBytes,
  )
  const name = formatImage({ ...image, digest })
  return { imageId: name, image: name, notes: [] }
}
