import { createHash } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { ImageReference } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'

/**
 * What a layer may unpack to in any case, and for each byte that was fetched. Unpacking is work of this machine that no order's share of
 * it bounds: whoever wants much of it has to send something for it.
 */
const FREE_BYTES = 128 * 2 ** 20
const MAX_RATIO = 100

/** Takes unpacked bytes out of the room that an image may have. @throws AppError `image_too_large` if they are more. */
export function takeRoom(room: { bytes: number }, bytes: number): void {
  room.bytes -= bytes
  if (room.bytes < 0) throw new AppError('image_too_large', 'the image unpacks to more than may be kept of it')
}

/** Takes what a layer has unpacked out of the room that is left, and answers it. Removes a file that is not what it should be. */
export async function checkLayer(
  image: ImageReference,
  { file, digest, diffId }: { file: string; digest: string; diffId: string },
  room: { bytes: number },
  signal: AbortSignal,
): Promise<number> {
  const packedHash = createHash('sha256')
  const plainHash = createHash('sha256')
  let unpacked = 0
  const handle = await open(file)
  const most = Math.max(FREE_BYTES, (await handle.stat()).size * MAX_RATIO)
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
        if (unpacked > most)
          throw new AppError('image_too_large', `a layer of the image unpacks to more than ${MAX_RATIO} times its size`)
        plainHash.update(chunk)
      }),
      async (source: AsyncIterable<unknown>) => {
        for await (const _ of source);
      },
      { signal },
    )
  } catch (cause) {
    if (signal.aborted || cause instanceof AppError) throw cause
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
