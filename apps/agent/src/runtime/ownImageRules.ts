import { type ImageReference, registryName } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import { z } from 'zod'

/** What a provider says of images that renters bring. */
export const ownImages = z.strictObject({
  /** Whether renters may bring images of their own. */
  offered: z.boolean().default(true),
  /** The largest image accepted, in GB, both as transferred and unpacked. */
  maxImageGb: z.number().int().min(1).max(1000).default(40),
  /** Size limit for cached images that nobody runs, in GB. */
  cacheGb: z.number().int().min(0).max(100_000).default(100),
  /** The only registries allowed; if omitted, any on the internet. */
  registries: z.array(z.string().min(1).max(253)).min(1).max(100).optional(),
  /** Registries in the provider's own network, accessed without TLS. */
  localRegistries: z.array(z.string().min(1).max(253)).max(20).default([]),
})
export type OwnImages = z.infer<typeof ownImages>
export const OWN_IMAGES: OwnImages = ownImages.parse({})

/** Throws where the provider takes no images of renters, or none of this registry. */
export function requireOffered(settings: OwnImages, image: ImageReference): void {
  if (!settings.offered) throw new AppError('own_images_refused', 'this provider takes only applications of the catalogue')
  if (settings.registries && !settings.registries.map(registryName).includes(image.registry))
    throw new AppError('own_images_refused', `this provider takes only images from ${settings.registries.join(', ')}`)
}

/** How many bytes an image may have on this order's disk of `maxBytes`; throws for one that has more. */
export function sizeLimit(settings: OwnImages, bytes: number, maxBytes: number): number {
  const limit = Math.min(maxBytes, settings.maxImageGb * 1e9)
  if (bytes > limit)
    throw new AppError(
      'image_too_large',
      `the image has ${inGb(bytes)} GB; ${limit === maxBytes ? 'the disk of this order has' : 'this provider takes up to'} ${inGb(limit)} GB`,
    )
  return limit
}

const inGb = (bytes: number): string => (bytes / 1e9).toFixed(bytes < 1e9 ? 2 : 1)
