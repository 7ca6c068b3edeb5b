import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ImageReference } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import { diskFull, saysDiskFull } from '../../foundation/diskFull.ts'
import { type BlobFile, openBlobFile, type Part } from './blobFile.ts'
import { checkLayer, takeRoom } from './checkLayer.ts'
import type { RegistryClient, RemoteImage } from './createRegistryClient.ts'
import type { RegistryAccount, Session } from './createRegistryRequests.ts'
import { fetchPart } from './fetchPart.ts'
import { writeLayout } from './ociLayout.ts'

/** How far a pull is, in bytes as they travel. */
export interface PullProgress {
  bytes: number
  totalBytes: number
  layers: number
  totalLayers: number
}

/** Requests at once: over one connection a distant registry sends no more than a window of bytes for each round trip. */
const AT_ONCE = 8
/** Unpacking takes a processor each. */
const CHECKS_AT_ONCE = 2

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
  /** The layout: what is in it of an earlier try is not fetched again. */
  folder: string
  /** Of all layers, unpacked. */
  maxBytes: number
  /** What the engine has already, by digest: none of it is fetched. */
  have: ReadonlyMap<string, CheckedLayer>
  session: Session
  account?: RegistryAccount | undefined
  onProgress: (progress: PullProgress) => void
  times?: PullTimes
  /** Ends it, with its reason as the error. */
  signal?: AbortSignal
}

/**
 * Fetches the layers of an image into an OCI layout that an engine can import: side by side, large ones in parts. Each is verified against
 * the digest in its manifest, and decompressed once while streaming, since a small file may expand endlessly. An interrupted pull resumes
 * where each of its parts stopped. When one fails, the others are ended before this rejects.
 */
export async function fetchImage(fetch: Fetch): Promise<CheckedLayer[]> {
  const { image, remote, folder, have, onProgress, times = PULL_TIMES } = fetch
  const blobs = join(folder, 'blobs', 'sha256')
  mkdirSync(blobs, { recursive: true, mode: 0o700 })
  const layers = [...new Map(remote.layers.map((layer) => [layer.digest, layer])).values()]
  const missing = layers.filter(({ digest }) => !have.has(digest))
  if (missing.some(({ size }) => size === 0))
    throw new AppError('image_not_found', 'a layer of the image is empty (0 bytes): build and push the image again')
  const checked = [...have.values()]
  const room = { bytes: fetch.maxBytes }
  for (const { unpackedBytes } of checked) takeRoom(room, unpackedBytes)
  const files = missing.map(({ digest, size }) => openBlobFile(join(blobs, digest.slice('sha256:'.length)), size))
  const totalBytes = missing.reduce((sum, { size }) => sum + size, 0)
  let bytes = files.reduce((sum, file) => sum + file.bytes(), 0)
  const tell = () => onProgress({ bytes, totalBytes, layers: checked.length, totalLayers: layers.length })
  tell()
  const aborted = new AbortController()
  // The first error ends all that goes on; what follows from it says nothing new.
  const fail = (cause: unknown) =>
    aborted.abort(saysDiskFull(String(cause)) ? diskFull('the image cannot be kept', cause) : cause)
  fetch.signal?.throwIfAborted()
  fetch.signal?.addEventListener('abort', () => fail(fetch.signal?.reason))
  const pace = watchPace(times, () => fail(tooSlow(image, times)))
  const onBytes = (count: number) => {
    bytes += count
    pace.note(count)
    tell()
  }
  const [request, check] = [createLimit(AT_ONCE), createLimit(CHECKS_AT_ONCE)]
  const get = (file: BlobFile, digest: string, part: Part, more: { onParts?: () => void } = {}) =>
    request(async () => {
      pace.begin()
      await fetchPart({ ...fetch, ...more, times, digest, file, part, onBytes, signal: aborted.signal })
        .catch(fail)
        .finally(pace.end)
    })
  const fetchLayer = async ({ digest, size, diffId }: RemoteImage['layers'][number], file: BlobFile) => {
    const [first, ...others] = file.missing()
    let rest: Promise<unknown> | undefined
    const onParts = () => {
      rest = Promise.allSettled(others.map((one) => get(file, digest, one)))
    }
    try {
      // Only its answer tells whether the registry gives parts.
      if (first) await get(file, digest, first, { onParts })
    } finally {
      await rest
      await file.close()
    }
    aborted.signal.throwIfAborted()
    const unpackedBytes = await check(() => checkLayer(image, { file: file.path, digest, diffId }, room, aborted.signal))
    checked.push({ digest, diffId, bytes: size, unpackedBytes })
    tell()
  }
  await Promise.allSettled(missing.map((layer, at) => fetchLayer(layer, files[at] as BlobFile).catch(fail)))
  aborted.signal.throwIfAborted()
  writeLayout(folder, remote)
  return checked
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
