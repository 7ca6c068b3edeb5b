import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { AppError, type ImageReference } from '@rackfair/core'
import { diskFull, saysDiskFull } from '../diskFull.ts'
import type { RegistryClient, RemoteImage } from './createRegistryClient.ts'
import type { RegistryAccount, Session } from './createRegistryRequests.ts'
import { writeLayout } from './ociLayout.ts'

/** How far a pull is, in bytes as they travel. */
export interface PullProgress {
  bytes: number
  totalBytes: number
  layers: number
  totalLayers: number
}

const AT_ONCE = 3
const TRIES = 5
/** Whoever gets at least this far has not failed: storage ends a connection when its signed address expires. */
const STRIDE_BYTES = 2 ** 20

/** How a pull waits, in milliseconds. */
export interface PullTimes {
  /** Delay before a failed request is repeated; grows with each failure in a row. */
  retryMs: number
}
const PULL_TIMES: PullTimes = { retryMs: 500 }

/** What a layer is once it was unpacked and checked. */
export interface CheckedLayer {
  digest: string
  diffId: string
  bytes: number
  unpackedBytes: number
}

interface Fetch {
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
}

/**
 * Fetches the layers of an image into an OCI layout that an engine can import. Each is verified against the digest in its manifest, and
 * decompressed once while streaming, since a small file may expand endlessly. An interrupted pull resumes at the byte where it stopped.
 */
export async function fetchImage(fetch: Fetch): Promise<CheckedLayer[]> {
  const { remote, folder, have, onProgress } = fetch
  const blobs = join(folder, 'blobs', 'sha256')
  mkdirSync(blobs, { recursive: true, mode: 0o700 })
  const layers = [...new Map(remote.layers.map((layer) => [layer.digest, layer])).values()]
  const missing = layers.filter(({ digest }) => !have.has(digest))
  const totalBytes = missing.reduce((sum, { size }) => sum + size, 0)
  const done = new Map<string, number>()
  const checked = [...have.values()]
  const room = { bytes: fetch.maxBytes }
  for (const { unpackedBytes } of checked) takeRoom(room, unpackedBytes)
  const tell = () => {
    const bytes = [...done.values()].reduce((sum, one) => sum + one, 0)
    onProgress({ bytes, totalBytes, layers: checked.length, totalLayers: layers.length })
  }
  tell()
  const waiting = [...missing]
  const work = async () => {
    for (let layer = waiting.shift(); layer; layer = waiting.shift()) {
      const { digest, size, diffId } = layer
      const file = join(blobs, digest.slice('sha256:'.length))
      await fetchBlob(fetch, layer, file, (bytes) => {
        done.set(digest, bytes)
        tell()
      })
      const unpackedBytes = await checkLayer(fetch.image, { file, digest, diffId }, room)
      done.set(digest, size)
      checked.push({ digest, diffId, bytes: size, unpackedBytes })
      tell()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  writeLayout(folder, remote)
  return checked
}

function takeRoom(room: { bytes: number }, bytes: number): void {
  room.bytes -= bytes
  if (room.bytes < 0) throw new AppError('image_too_large', 'the image unpacks to more than may be kept of it')
}

async function fetchBlob(
  { registry, image, session, account, times = PULL_TIMES }: Fetch,
  { digest, size }: { digest: string; size: number },
  file: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let failed = 0
  for (;;) {
    const have = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (have === size) return
    if (have > size) rmSync(file, { force: true })
    try {
      const { body, from } = await registry.blob(image, digest, have < size ? have : 0, session, account)
      let bytes = from
      const count = new Transform({
        transform(chunk: Buffer, _, next) {
          bytes += chunk.length
          if (bytes > size) return next(new AppError('registry_unreachable', `${image.registry} sends more than it said`))
          onBytes(bytes)
          next(null, chunk)
        },
      })
      await pipeline(body, count, createWriteStream(file, { flags: from > 0 ? 'a' : 'w', mode: 0o600 }))
      if (bytes === size) return
      throw new Error('the connection ended')
    } catch (cause) {
      if (cause instanceof AppError && !cause.retryable) throw cause
      if (saysDiskFull(String(cause))) throw diskFull('the image cannot be kept', cause)
      const got = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) - have
      failed = got >= STRIDE_BYTES ? 1 : failed + 1
      if (failed >= TRIES)
        throw cause instanceof AppError
          ? cause
          : new AppError('registry_unreachable', `${image.registry}: ${String(cause).slice(0, 200)}`, { cause, retryable: true })
      await new Promise((resolve) => setTimeout(resolve, times.retryMs * failed))
    }
  }
}

/** Takes what a layer has unpacked out of the room that is left, and answers it. Removes a file that is not what it should be. */
async function checkLayer(
  image: ImageReference,
  { file, digest, diffId }: { file: string; digest: string; diffId: string },
  room: { bytes: number },
): Promise<number> {
  const packedHash = createHash('sha256')
  const plainHash = createHash('sha256')
  let unpacked = 0
  const handle = await open(file)
  const { buffer: head } = await handle.read({ buffer: Buffer.alloc(4), position: 0 })
  await handle.close()
  const pass = (seen: (chunk: Buffer) => void) =>
    new Transform({
      transform(chunk: Buffer, _, next) {
        try {
          seen(chunk)
          next(null, chunk)
        } catch (error) {
          next(error as Error)
        }
      },
    })
  const unpack =
    head[0] === 0x1f && head[1] === 0x8b
      ? createGunzip()
      : head.readUInt32LE(0) === 0xfd2fb528
        ? createZstdDecompress()
        : pass(() => {})
  try {
    await pipeline(
      createReadStream(file),
      pass((chunk) => packedHash.update(chunk)),
      unpack,
      pass((chunk) => {
        takeRoom(room, chunk.length)
        unpacked += chunk.length
        plainHash.update(chunk)
      }),
      async (source: AsyncIterable<unknown>) => {
        for await (const _ of source);
      },
    )
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    rmSync(file, { force: true })
    throw new AppError('registry_unreachable', `${image.registry} sent a layer that cannot be unpacked`, {
      cause,
      retryable: true,
    })
  }
  if (`sha256:${packedHash.digest('hex')}` !== digest || `sha256:${plainHash.digest('hex')}` !== diffId) {
    rmSync(file, { force: true })
    throw new AppError('registry_unreachable', `${image.registry} sent something else than ${digest}`, { retryable: true })
  }
  return unpacked
}
