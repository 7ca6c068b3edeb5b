import { type ImageReference, registryName } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { OwnImages } from '../config/agentConfig.ts'

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
