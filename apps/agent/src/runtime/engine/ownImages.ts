import { mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { formatImage, type ImageReference, parseImage } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import { diskFull } from '../../foundation/diskFull.ts'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { openLayerStore } from '../layers/layerStore.ts'
import { openShare, type Share, sweepShares } from '../layers/orderShare.ts'
import type { OwnImages } from '../ownImageRules.ts'
import { requireOffered, sizeLimit } from '../ownImageRules.ts'
import type { RunSpec } from '../RunSpec.ts'
import type { OwnImage, OwnImageOptions } from '../Runtime.ts'
import { createRegistryClient, type RemoteImage } from '../registry/createRegistryClient.ts'
import type { RegistryAccount, Session } from '../registry/createRegistryRequests.ts'
import { type CheckedLayer, fetchImage, type PullProgress } from '../registry/fetchImage.ts'
import { createPulls } from './createPulls.ts'
import type { ImageConfig } from './imageConfig.ts'
import { imageNotes } from './imageNotes.ts'
import { diskBytes, openKeptImages } from './keptImages.ts'
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
  /** The images, by digest, on whose layers each of the pulls counts. */
  const lenders = new Map<string, ReadonlySet<string>>()

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

  /**
   * What the engine has of an image, from others of the same registry, which shows it to this account too: another registry could be
   * its renter's own, and show whatever they like to have.
   */
  const layersOf = async (
    image: ImageReference,
    remote: RemoteImage,
    session: Session,
    account: RegistryAccount | undefined,
  ): Promise<ReadonlyMap<string, CheckedLayer>> => {
    const wanted = new Map(remote.layers.map((one) => [one.digest, one]))
    const lent = new Set<string>()
    lenders.set(remote.digest, lent)
    const found = new Map<string, CheckedLayer>()
    for (const [digest, { imageId, registry: from, layers }] of Object.entries(read())) {
      const useful = layers.filter((one) => !found.has(one.digest) && wanted.get(one.digest)?.diffId === one.diffId)
      if (from !== image.registry || useful.length === 0) continue
      lent.add(digest)
      if (store.find(imageId)) for (const one of useful) found.set(one.digest, one)
    }
    for (const { digest, bytes: size } of [...found.values()])
      if (!(await registry.shows(image, { digest, size }, session, account))) found.delete(digest)
    return found
  }

  const requireRoom = (bytes: number) => {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize - RESERVE_BYTES // Briefly needed both packed and unpacked.
    if (free < 3 * bytes) throw diskFull('the image cannot be fetched', undefined, { machine: free <= 0 })
  }

  /** Evicts images that no container uses, least recently used first, and those that are the engine's. */
  const prune = async (spare: string) => {
    const inUse = await used()
    const all = read()
    const oldest = Object.entries(all).sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [digest, { imageId }] of oldest) {
      const isFormer = !store.find(imageId)
      const isLent = [...lenders.values()].some((lent) => lent.has(digest))
      if (digest === spare || isLent || inUse.has(imageId)) continue
      if (!isFormer && diskBytes(read()) <= settings.cacheGb * 1e9) continue
      if (isFormer) await removeFormer(imageId).catch(() => {})
      const { [digest]: _, ...rest } = read()
      write(rest)
      keepNoted()
    }
  }

  const confine = (orderId: bigint, share: Share) => {
    try {
      return openShare(instance, orderId, share)
    } catch (error) {
      log.warn('an image is unpacked without the limits of its order: this kernel gives no control group for it', {
        reason: reasonOf(error),
      })
      return undefined
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
        const have = await layersOf(image, remote, session, account)
        requireRoom(remote.layers.reduce((sum, one) => sum + (have.has(one.digest) ? 0 : one.size), 0))
        forgetOthers(digest)
        const came = partial.folder(digest)
        const confined = share && confine(orderId, share)
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
      const imageId = await pulls.join(digest, orderId, onPull, fetchAndImport).finally(() => lenders.delete(digest))
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
