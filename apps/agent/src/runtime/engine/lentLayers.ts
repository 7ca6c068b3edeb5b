import type { ImageReference } from '@rackfair/app-spec/imageReference'
import type { RegistryClient, RemoteImage } from '../registry/createRegistryClient.ts'
import type { RegistryAccount, Session } from '../registry/createRegistryRequests.ts'
import type { CheckedLayer } from '../registry/fetchImage.ts'
import type { openKeptImages } from './keptImages.ts'

/** Layers of images that are here already, for the pulls that need not fetch them. */
export function createLentLayers(parts: {
  registry: RegistryClient
  kept: ReturnType<typeof openKeptImages>['read']
  isHere: (imageId: string) => boolean
}) {
  const { registry, kept, isHere } = parts
  /** The images, by digest, on whose layers each of the pulls counts. */
  const lenders = new Map<string, ReadonlySet<string>>()
  return {
    isLender: (digest: string): boolean => [...lenders.values()].some((lent) => lent.has(digest)),
    end: (digest: string) => lenders.delete(digest),

    /**
     * What is here of an image, from others of the same registry, which shows it to this account too: another registry could be its
     * renter's own, and show whatever they like to have.
     */
    async of(
      image: ImageReference,
      remote: RemoteImage,
      session: Session,
      account: RegistryAccount | undefined,
    ): Promise<ReadonlyMap<string, CheckedLayer>> {
      const wanted = new Map(remote.layers.map((one) => [one.digest, one]))
      const lent = new Set<string>()
      lenders.set(remote.digest, lent)
      const found = new Map<string, CheckedLayer>()
      for (const [digest, { imageId, registry: from, layers }] of Object.entries(kept())) {
        const useful = layers.filter((one) => !found.has(one.digest) && wanted.get(one.digest)?.diffId === one.diffId)
        if (from !== image.registry || useful.length === 0) continue
        lent.add(digest)
        if (isHere(imageId)) for (const one of useful) found.set(one.digest, one)
      }
      for (const { digest, bytes: size } of [...found.values()])
        if (!(await registry.shows(image, { digest, size }, session, account))) found.delete(digest)
      return found
    },
  }
}
