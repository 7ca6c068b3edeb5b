import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ImageReference } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import { diskFull, saysDiskFull } from '../../foundation/diskFull.ts'
import { startUnpacking } from '../layers/startUnpacking.ts'
import { openUnpackedLayers, type UnpackedLayers } from '../layers/unpackedLayers.ts'
import { type BlobFile, openBlobFile, type Part } from './blobFile.ts'
import type { RegistryClient, RemoteImage } from './createRegistryClient.ts'
import type { RegistryAccount, Session } from './createRegistryRequests.ts'
import { fetchPart } from './fetchPart.ts'

/** How far a pull is, in bytes as they travel. */
export interface PullProgress {
  bytes: number
  totalBytes: number
  layers: number
  totalLayers: number
}

/** Requests at once: over one connection a distant registry sends no more than a window of bytes for each round trip. */
const AT_ONCE = 8
/** So many layers are unpacked at once. */
const UNPACKED_AT_ONCE = 4
/** A layer is unpacked while it comes: from this much on, and this much at a time. */
const STEP_BYTES = 2 ** 20

/** How a pull waits, in milliseconds. */
export interface PullTimes {
  /** Delay before a failed request is repeated; grows with each failure in a row. */
  retryMs: number
  /** Within this time at least `leastBytes` have to come, else the pull is ended: a byte now and then would hold it without end. */
  paceMs: number
  leastBytes: number
}
const PULL_TIMES: PullTimes = { retryMs: 500, paceMs: 60_000, leastBytes: 1_000_000 }

/** What a layer is once it was unpacked and checked. */
export interface CheckedLayer {
  digest: string
  diffId: string
  bytes: number
  unpackedBytes: number
}

export interface Fetch {
  registry: RegistryClient
  image: ImageReference
  remote: RemoteImage
  /** For the layers, as they came and unpacked: what is in it of an earlier try is not fetched again. */
  folder: string
  /** Of all layers, unpacked. */
  maxBytes: number
  /** What the engine has already, by digest: none of it is fetched. */
  have: ReadonlyMap<string, CheckedLayer>
  session: Session
  account?: RegistryAccount | undefined
  onProgress: (progress: PullProgress) => void
  /** Puts the process that unpacks where it uses up nothing but what its order has. */
  confine?: ((pid: number) => void) | undefined
  times?: PullTimes
  /** Ends it, with its reason as the error. */
  signal?: AbortSignal
}

/**
 * Fetches the layers of an image side by side, large ones in parts, and unpacks each while it comes, once and in a process of its own:
 * what comes is verified against the digest in its manifest, what it unpacks to against that in the configuration of the image, and a small
 * file may expand endlessly. An interrupted pull resumes where each of its parts stopped. When one layer fails, the others are ended
 * before this rejects.
 */
export async function fetchImage(fetch: Fetch): Promise<CheckedLayer[]> {
  const { image, folder, onProgress, times = PULL_TIMES } = fetch
  const blobs = join(folder, 'blobs', 'sha256')
  mkdirSync(blobs, { recursive: true, mode: 0o700 })
  const unpacked = openUnpackedLayers(join(folder, 'layers'))
  const { layers, early, missing, totalBytes, room } = plan(fetch, unpacked)
  const checked = [...fetch.have.values(), ...early]
  const files = missing.map(({ digest, size }) => openBlobFile(join(blobs, digest.slice('sha256:'.length)), size))
  let bytes = files.reduce((sum, file) => sum + file.bytes(), 0) + early.reduce((sum, one) => sum + one.bytes, 0)
  const tell = () => onProgress({ bytes, totalBytes, layers: checked.length, totalLayers: layers.length })
  tell()
  fetch.signal?.throwIfAborted()
  if (missing.length === 0) return checked
  const aborted = new AbortController()
  // The first error ends all that goes on; what follows from it says nothing new.
  const fail = (cause: unknown) =>
    aborted.abort(saysDiskFull(String(cause)) ? diskFull('the image cannot be kept', cause) : cause)
  fetch.signal?.addEventListener('abort', () => fail(fetch.signal?.reason))
  const pace = watchPace(times, () => fail(tooSlow(image, times)))
  const [request, turn] = [createLimit(AT_ONCE), createLimit(UNPACKED_AT_ONCE)]
  const unpacking = startUnpacking({ maxBytes: room, registry: image.registry, confine: fetch.confine })
  const get = (file: BlobFile, digest: string, part: Part, more: { onBytes: (count: number) => void; onParts?: () => void }) =>
    request(async () => {
      pace.begin()
      await fetchPart({ ...fetch, ...more, times, digest, file, part, signal: aborted.signal })
        .catch(fail)
        .finally(pace.end)
    })
  const fetchLayer = async (layer: RemoteImage['layers'][number], file: BlobFile) => {
    const { digest, size, diffId } = layer
    const front = watchFront(file)
    const onBytes = (count: number) => {
      bytes += count
      pace.note(count)
      front.note()
      tell()
    }
    const unpack = async () => {
      await Promise.race([front.begun, ended])
      const unpackedBytes = await turn(async () => {
        aborted.signal.throwIfAborted()
        const into = await unpacked.begin(diffId)
        const { done, there } = unpacking.unpack({ file: file.path, size, digest, diffId, folder: into })
        front.follow(there)
        return done
      })
      unpacked.finish(diffId, unpackedBytes)
      return unpackedBytes
    }
    const unpacks = unpack()
    unpacks.catch((cause: unknown) => {
      // What came is not what was asked for: nothing of it is of use to the next try.
      if (cause instanceof AppError && cause.code === 'registry_unreachable') rmSync(file.path, { force: true })
      fail(cause)
    })
    const [first, ...others] = file.missing()
    let rest: Promise<unknown> | undefined
    const onParts = () => {
      rest = Promise.allSettled(others.map((one) => get(file, digest, one, { onBytes })))
    }
    try {
      // Only its answer tells whether the registry gives parts.
      if (first) await get(file, digest, first, { onBytes, onParts })
    } finally {
      await rest
      await file.close()
    }
    aborted.signal.throwIfAborted()
    front.note()
    checked.push({ digest, diffId, bytes: size, unpackedBytes: await unpacks })
    rmSync(file.path, { force: true })
    tell()
  }
  const ended = new Promise<void>((resolve) => aborted.signal.addEventListener('abort', () => resolve()))
  void ended.then(() => unpacking.close())
  await Promise.allSettled(missing.map((layer, at) => fetchLayer(layer, files[at] as BlobFile).catch(fail)))
  await unpacking.close()
  aborted.signal.throwIfAborted()
  return checked
}

/** The layers of an image: those of no other image here, those that an earlier try has unpacked, and those that are to be fetched. */
function plan({ remote, have, maxBytes }: Fetch, unpacked: UnpackedLayers) {
  const layers = [...new Map(remote.layers.map((layer) => [layer.diffId, layer])).values()]
  if (layers.some(({ digest, size }) => size === 0 && !have.has(digest)))
    throw new AppError('image_not_found', 'a layer of the image is empty (0 bytes): build and push the image again')
  if (new Set(layers.map(({ digest }) => digest)).size < layers.length)
    throw new AppError('image_not_found', 'the image says of one layer that it is two: build and push the image again')
  const absent = layers.filter(({ digest }) => !have.has(digest))
  const early = absent.flatMap(({ digest, diffId, size }) => {
    const unpackedBytes = unpacked.bytesOf(diffId)
    return unpackedBytes === undefined ? [] : [{ digest, diffId, bytes: size, unpackedBytes }]
  })
  const missing = absent.filter(({ digest }) => !early.some((one) => one.digest === digest))
  const room = [...have.values(), ...early].reduce((left, { unpackedBytes }) => left - unpackedBytes, maxBytes)
  if (room < 0) throw new AppError('image_too_large', 'the image unpacks to more than may be kept of it')
  const totalBytes = absent.reduce((sum, { size }) => sum + size, 0)
  return { layers, early, missing, totalBytes, room }
}

/** Tells how much of a file is there from its beginning on. */
function watchFront(file: BlobFile) {
  const begun = Promise.withResolvers<void>()
  let told = 0
  let follow: ((bytes: number) => void) | undefined
  const note = () => {
    const front = file.front()
    const isWhole = front === file.size
    if (front < STEP_BYTES && !isWhole) return
    begun.resolve()
    if (!follow || (front - told < STEP_BYTES && !isWhole) || front <= told) return
    told = front
    follow(front)
  }
  note()
  return {
    begun: begun.promise,
    note,
    follow(next: (bytes: number) => void): void {
      follow = next
      note()
    },
  }
}

/** Calls back when, while something is fetched, less comes within a time than has to. */
function watchPace({ paceMs, leastBytes }: PullTimes, onSlow: () => void) {
  let fetching = 0
  let got = 0
  let timer: NodeJS.Timeout | undefined
  return {
    begin() {
      fetching += 1
      if (fetching > 1) return
      got = 0
      timer = setInterval(() => {
        if (got < leastBytes) onSlow()
        got = 0
      }, paceMs)
    },
    note(bytes: number) {
      got += bytes
    },
    end() {
      fetching -= 1
      if (fetching === 0) clearInterval(timer)
    },
  }
}

const tooSlow = ({ registry }: ImageReference, { paceMs, leastBytes }: PullTimes): AppError =>
  new AppError(
    'registry_unreachable',
    `${registry} sent less than ${leastBytes / 1e6} MB within ${paceMs / 1000} s; what came is kept, and it is tried again`,
    { retryable: true },
  )

/** Runs no more than `most` tasks at once, in the order in which they come. */
function createLimit(most: number) {
  const waiting: (() => void)[] = []
  let free = most
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
