import { basename } from 'node:path'
import { encodeFrame, encodeJson, FRAME } from '@rackfair/core'
import type { FileBegin } from '@rackfair/core/wire'
import { type Pack, pack } from 'tar-stream'
import { type WorkspaceChannel, WorkspaceError } from '../WorkspaceChannel.ts'
import { type Attributes, OPEN, type SftpClient } from './sftpClient.ts'
import { typeOf } from './typeOf.ts'

const PIECE_BYTES = 128 * 1024
/** Asked for before the first of them has come. */
const PIECES_AHEAD = 4
const MAX_DEPTH = 200

/** Sends a file, or a folder as a tar, holding a few pieces of it at a time. */
export async function getFile(sftp: SftpClient, path: string, channel: WorkspaceChannel): Promise<void> {
  const attributes = await sftp.stat(path)
  const type = typeOf(attributes.mode)
  if (type === 'folder') {
    await channel.write(encodeJson({ type: 'tar' } satisfies FileBegin))
    return sendTar(sftp, path, channel)
  }
  if (type !== 'file') throw new WorkspaceError('file_refused', 'this is neither a file nor a folder')
  await channel.write(encodeJson({ type: 'file', size: attributes.size } satisfies FileBegin))
  for await (const piece of readPieces(sftp, path, attributes.size)) await channel.write(encodeFrame(FRAME.bytes, piece))
}

/** Exactly so many bytes of a file. Throws WorkspaceError where it has become shorter. */
async function* readPieces(sftp: SftpClient, path: string, size: number): AsyncGenerator<Buffer> {
  const handle = await sftp.open(path, OPEN.read)
  const ahead: Promise<Buffer>[] = []
  let asked = 0
  const ask = () => {
    while (ahead.length < PIECES_AHEAD && asked < size) {
      const length = Math.min(PIECE_BYTES, size - asked)
      const piece = readWhole(sftp, handle, asked, length)
      piece.catch(() => {})
      ahead.push(piece)
      asked += length
    }
  }
  for (ask(); ahead.length > 0; ask()) yield (await ahead.shift()) as Buffer
  await sftp.close(handle)
}

async function readWhole(sftp: SftpClient, handle: Buffer, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let have = 0; have < length; ) {
    const part = await sftp.read(handle, offset + have, length - have)
    if (!part || part.length === 0) throw new WorkspaceError('file_refused', 'the file became shorter while it was read')
    parts.push(part)
    have += part.length
  }
  return Buffer.concat(parts)
}

async function sendTar(sftp: SftpClient, folder: string, channel: WorkspaceChannel): Promise<void> {
  const tar = pack()
  const filling = addFolder(sftp, tar, folder, basename(folder) || 'files', 0).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  )
  for await (const chunk of tar) {
    for (let at = 0; at < (chunk as Buffer).length; at += PIECE_BYTES)
      await channel.write(encodeFrame(FRAME.bytes, (chunk as Buffer).subarray(at, at + PIECE_BYTES)))
  }
  await filling
}

async function addFolder(sftp: SftpClient, tar: Pack, path: string, name: string, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) throw new WorkspaceError('file_refused', `folders lie more than ${MAX_DEPTH} deep`)
  const own = await sftp.stat(path)
  tar.entry({ ...headOf(own), name: `${name}/`, type: 'directory' })
  const handle = await sftp.openFolder(path)
  for (let some = await sftp.readFolder(handle); some; some = await sftp.readFolder(handle))
    for (const entry of some) {
      if (entry.name === '.' || entry.name === '..') continue
      const inner = `${path}/${entry.name}`
      const head = { ...headOf(entry), name: `${name}/${entry.name}` }
      const type = typeOf(entry.mode)
      if (type === 'folder') await addFolder(sftp, tar, inner, head.name, depth + 1)
      else if (type === 'link') tar.entry({ ...head, type: 'symlink', linkname: await sftp.readLink(inner) })
      else if (type === 'file') await addFile(sftp, tar, inner, head, entry.size)
    }
  await sftp.close(handle)
}

async function addFile(
  sftp: SftpClient,
  tar: Pack,
  path: string,
  head: { name: string; mode: number; mtime: Date },
  size: number,
) {
  const done = Promise.withResolvers<void>()
  const entry = tar.entry({ ...head, size }, (error) => (error ? done.reject(error) : done.resolve()))
  const closed = new Promise<void>((resolve) => entry.once('close', resolve))
  done.promise.catch(() => {})
  for await (const piece of readPieces(sftp, path, size)) {
    const drained = new Promise<void>((resolve) => entry.once('drain', resolve))
    if (!entry.write(piece)) await Promise.race([drained, closed])
  }
  entry.end(undefined)
  await done.promise
}

const headOf = ({ mode, modified }: Attributes) => ({ mode: mode & 0o777, mtime: new Date(modified * 1000) })
