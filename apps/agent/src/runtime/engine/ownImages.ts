import { mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { formatImage, type ImageReference, parseImage } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import { diskFull } from '../../foundation/diskFull.ts'
import type { Log } from '../../foundation/log.ts'
import { openLayerStore } from '../layers/layerStore.ts'
import { sweepShares, tryShare } from '../layers/orderShare.ts'
import type { OwnImages } from '../ownImageRules.ts'
import { requireOffered, sizeLimit } from '../ownImageRules.ts'
import type { RunSpec } from '../RunSpec.ts'
import type { OwnImage, OwnImageOptions } from '../Runtime.ts'
import { createRegistryClient } from '../registry/createRegistryClient.ts'
import { type CheckedLayer, fetchImage, type PullProgress } from '../registry/fetchImage.ts'
import { createPulls } from './createPulls.ts'
import type { ImageConfig } from './imageConfig.ts'
import { imageNotes } from './imageNotes.ts'
import { diskBytes, openKeptImages } from './keptImages.ts'
import { createLentLayers } from './lentLayers.ts'
import { RESERVE_BYTES } from './orderDisk.ts'
import { openPartialPulls } from './partialPulls.ts'

export interface OwnImageStoreOptions {
  folder: string
  settings: OwnImages
  /** Six hex digits that tell this agent from others on the machine. */
  instance: string
  /** Removes an image that an earlier version of the agent gave to its engine. */
  removeFormer(imageId: string): Promise<unknown>
  /** Ids of the images of all containers of this agent. */
  used(): Promise<ReadonlySet<string>>
  log: Log
}

/**
 * Cache of renters' images by digest, up to a size limit, with least recently used eviction. The registry must show an image to each renter
 * who names it, so that nobody gets an image from the cache that they could not get from the registry.
 */
export function createOwnImages({ folder, settings, instance, removeFormer, used, log }: OwnImageStoreOptions) {
  const { read, write } = openKeptImages(folder)
  const registry = createRegistryClient({ local: settings.localRegistries })
  const store = openLayerStore(folder)
  const partial = openPartialPulls(join(folder, 'pulls'), store.discard)
  const pulls = createPulls()
  const lent = createLentLayers({ registry, kept: read, isHere: (imageId) => store.find(imageId) !== undefined })

  const keepNoted = () => store.keep(new Set(Object.values(read()).map(({ imageId }) => imageId)))
  sweepShares(instance)
  keepNoted()

  const present = (digest: string): { imageId: string; config: ImageConfig } | undefined => {
    const entry = read()[digest]
    const config = entry && store.find(entry.imageId)
    return entry && config ? { imageId: entry.imageId, config } : undefined
  }
  const answer = (
    image: ImageReference,
    digest: string,
    app: RunSpec,
    there: { imageId: string; config: ImageConfig },
  ): OwnImage => {
    const all = read()
    const entry = all[digest]
    if (entry) write({ ...all, [digest]: { ...entry, usedAt: Date.now() } })
    return { imageId: there.imageId, image: formatImage({ ...image, digest }), notes: imageNotes(app, there.config) }
  }

  /** Evicts images that no container uses, least recently used first, and those that are the engine's. */
  const prune = async (spare: string) => {
    const inUse = await used()
    const all = read()
    const oldest = Object.entries(all).sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [digest, { imageId }] of oldest) {
      const isFormer = !store.find(imageId)
      if (digest === spare || lent.isLender(digest) || inUse.has(imageId)) continue
      if (!isFormer && diskBytes(read()) <= settings.cacheGb * 1e9) continue
      if (isFormer) await removeFormer(imageId).catch(() => {})
      const { [digest]: _, ...rest } = read()
      write(rest)
      keepNoted()
    }
  }

  /** What an earlier pull left behind may be of use to its next try, until somebody else pulls: it is no more than one image each. */
  const forgetOthers = (mine: string) => {
    for (const digest of partial.digests()) if (digest !== mine && !pulls.runs(digest)) partial.remove(digest)
  }

  return {
    async ensure(
      app: RunSpec,
      known: string | undefined,
      { orderId, maxBytes, share, onPull }: OwnImageOptions,
    ): Promise<OwnImage> {
      const image = parseImage(known ?? app.image)
      if (!image) throw new AppError('app_malformed', `${app.image.slice(0, 200)} is not the name of an image`)
      // The image this deployment already runs needs no registry.
      const running = known !== undefined && image.digest ? present(image.digest) : undefined
      if (running && image.digest) return answer(image, image.digest, app, running)
      requireOffered(settings, image)
      const account = app.own?.registry
      const session = {}
      const remote = await registry.describe(image, session, account)
      const { digest } = remote
      const there = present(digest)
      if (there) return answer(image, digest, app, there)
      mkdirSync(folder, { recursive: true })
      const size = remote.layers.reduce((sum, layer) => sum + layer.size, 0)
      const limit = sizeLimit(settings, size, maxBytes)
      const fetchAndImport = async (tell: (progress: PullProgress) => void, signal: AbortSignal) => {
        const have = await lent.of(image, remote, session, account)
        requireRoom(
          folder,
          remote.layers.reduce((sum, one) => sum + (have.has(one.digest) ? 0 : one.size), 0),
        )
        forgetOthers(digest)
        const came = partial.folder(digest)
        const confined = share && tryShare(instance, orderId, share, log)
        let layers: CheckedLayer[]
        try {
          layers = await fetchImage({
            ...{ registry, image, remote, folder: came, maxBytes: limit, have, session, account, signal },
            ...{ onProgress: tell, confine: confined?.add },
          })
        } catch (error) {
          // What nobody may have here is of no use to a retry; a credential that is no longer good says nothing of what it got.
          if (error instanceof AppError && !error.retryable && error.code !== 'registry_denied') partial.remove(digest)
          throw error
        } finally {
          confined?.close()
        }
        const imageId = remote.config.digest.slice('sha256:'.length)
        store.take(
          join(came, 'layers'),
          imageId,
          remote.config.bytes,
          layers.map(({ diffId }) => diffId),
        )
        write({ ...read(), [digest]: { imageId, bytes: size, usedAt: Date.now(), registry: image.registry, layers } })
        partial.remove(digest)
        return imageId
      }
      partial.note(digest, orderId)
      const imageId = await pulls.join(digest, orderId, onPull, fetchAndImport).finally(() => lent.end(digest))
      if (!pulls.runs(digest)) partial.remove(digest)
      await prune(digest)
      const config = store.find(imageId)
      if (!config) throw new AppError('image_missing', 'the image is already gone', { retryable: true })
      return answer(image, digest, app, { imageId, config })
    },
    /** Ends the pull that only this order waits for, and removes what came of it. */
    async forget(orderId: bigint): Promise<void> {
      await pulls.leave(orderId)
      for (const digest of partial.release(orderId)) if (!pulls.runs(digest)) partial.remove(digest)
    },

    /** Orders for which a part of an image was fetched. */
    ordersWithPulls: () => partial.orders(),
    /** What an image says of itself, and its layers; undefined where it is not on this machine. */
    find: store.find,
    close: () => registry.close(),
  }
}

/** Throws where the machine has no room for what is still to come: briefly both as it came and unpacked. */
function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize - RESERVE_BYTES
  if (free < 3 * bytes) throw diskFull('the image cannot be fetched', undefined, { machine: free <= 0 })
}
