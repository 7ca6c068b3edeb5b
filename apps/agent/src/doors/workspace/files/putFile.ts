import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { encodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import type { FileReady } from '@rackfair/protocol/workspaceAnswers'
import { type WorkspaceChannel, WorkspaceError } from '../WorkspaceChannel.ts'
import { OPEN, type SftpClient, SftpError } from './sftpClient.ts'
import { typeOf } from './typeOf.ts'

/** The file server takes no message above 256 KiB. */
const PIECE_BYTES = 128 * 1024
/** On their way to the disk at a time. */
const WRITES_AHEAD = 4

/**
 * Receives a file into the container. It is written to a temporary file beside its target and renamed atomically once it is complete and
 * synced; until then, whatever happens, the previous file stays.
 */
export async function putFile(
  sftp: SftpClient,
  { path, size, replace }: { path: string; size: number; replace?: boolean | undefined },
  channel: WorkspaceChannel,
  { orderId, uploading }: { orderId: bigint; uploading: Set<string> },
): Promise<void> {
  const folder = dirname(path)
  // The same name at each attempt, so that a retry overwrites the leftovers of an interrupted one.
  const part = `${folder}/.rackfair-part-${createHash('sha256').update(basename(path)).digest('hex').slice(0, 16)}`
  const there = await sftp.lstat(path).catch((error: unknown) => {
    if (error instanceof SftpError && error.kind === 'missing') return undefined
    throw error
  })
  if (there && (!replace || typeOf(there.mode) !== 'file'))
    throw new WorkspaceError('file_exists', 'there is a file or folder of this name already')
  const key = `${orderId} ${part}`
  if (uploading.has(key)) throw new WorkspaceError('upload_in_progress', 'this file is being uploaded already')
  uploading.add(key)
  try {
    const left = await sftp.lstat(part).catch(() => undefined)
    const { freeBytes } = await sftp.space(folder)
    if (size > freeBytes + (left?.size ?? 0))
      throw new WorkspaceError('order_disk_full', `the file has ${size} bytes, ${freeBytes} are free; nothing was changed`)
    await receive(sftp, part, size, channel)
    await sftp.replace(part, path)
  } catch (error) {
    if (error instanceof SftpError && error.kind === 'failed' && (await isFull(sftp, folder)))
      throw new WorkspaceError('order_disk_full', 'the disk became full in the meantime; nothing was changed')
    throw error
  } finally {
    // After the rename this name no longer exists.
    await sftp.remove(part).catch(() => {})
    uploading.delete(key)
  }
}

async function receive(sftp: SftpClient, part: string, size: number, channel: WorkspaceChannel): Promise<void> {
  const handle = await sftp.open(part, OPEN.write | OPEN.create | OPEN.truncate)
  await channel.write(encodeJson({ ready: true } satisfies FileReady))
  let at = 0
  const ahead: Promise<unknown>[] = []
  for await (const { type, payload } of readFrames(channel.incoming)) {
    if (type !== FRAME.bytes) continue
    if (at + payload.length > size) throw new WorkspaceError('bad_request', 'more bytes came than were announced')
    for (let from = 0; from < payload.length; from += PIECE_BYTES) {
      const piece = payload.subarray(from, from + PIECE_BYTES)
      const written = sftp.write(handle, at, piece)
      written.catch(() => {})
      ahead.push(written)
      at += piece.length
      if (ahead.length >= WRITES_AHEAD) await ahead.shift()
    }
  }
  await Promise.all(ahead)
  if (at !== size || channel.signal.aborted)
    throw new WorkspaceError('stream_interrupted', `${at} of ${size} bytes came; nothing was changed`)
  await sftp.sync(handle)
  await sftp.close(handle)
}

async function isFull(sftp: SftpClient, folder: string): Promise<boolean> {
  const space = await sftp.space(folder).catch(() => undefined)
  return space !== undefined && space.freeBytes < 256 * 1024
}
