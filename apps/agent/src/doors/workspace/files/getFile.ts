import { basename } from 'node:path'
import { encodeFrame, encodeJson, FRAME } from '@rackfair/protocol/frames'
import type { FileBegin } from '@rackfair/protocol/workspaceAnswers'
import type { WorkspaceChannel } from '../WorkspaceChannel.ts'
import { readPieces } from './readPieces.ts'
import { type SftpClient, SftpError } from './sftpClient.ts'
import { tarFolder } from './tarFolder.ts'
import { typeOf } from './typeOf.ts'

const FRAME_BYTES = 128 * 1024

/**
 * Sends a file, or a folder as a tar, holding a few pieces of it at a time. Resolves to the number of entries of a folder that its tar has
 * not, or not whole; a list of them is the tar's last file.
 */
export async function getFile(sftp: SftpClient, path: string, channel: WorkspaceChannel): Promise<number> {
  const attributes = await sftp.stat(path)
  const type = typeOf(attributes.mode)
  if (type === 'folder') {
    const handle = await sftp.openFolder(path)
    await channel.write(encodeJson({ type: 'tar' } satisfies FileBegin))
    const { tar, filled } = tarFolder(sftp, { path, name: basename(path) || 'files', handle, attributes })
    for await (const chunk of tar) {
      for (let at = 0; at < chunk.length; at += FRAME_BYTES)
        await channel.write(encodeFrame(FRAME.bytes, chunk.subarray(at, at + FRAME_BYTES)))
    }
    return filled
  }
  if (type !== 'file') throw new SftpError('failed', 'this is neither a file nor a folder')
  const handle = await sftp.openToRead(path)
  const { size, mode } = await sftp.statOpen(handle)
  if (typeOf(mode) !== 'file') throw new SftpError('failed', 'this was replaced by something that is no file')
  await channel.write(encodeJson({ type: 'file', size } satisfies FileBegin))
  for await (const piece of readPieces(sftp, handle, size)) await channel.write(encodeFrame(FRAME.bytes, piece))
  return 0
}
