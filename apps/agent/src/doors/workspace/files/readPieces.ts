import { type SftpClient, SftpError } from './sftpClient.ts'

export const PIECE_BYTES = 128 * 1024
/** Asked for before the first of them has come. */
const PIECES_AHEAD = 4

/** Exactly so many bytes of an open file, in pieces. @throws SftpError where it has become shorter, or cannot be read. */
export async function* readPieces(sftp: SftpClient, handle: Buffer, size: number): AsyncGenerator<Buffer> {
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
}

async function readWhole(sftp: SftpClient, handle: Buffer, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let have = 0; have < length; ) {
    const part = await sftp.read(handle, offset + have, length - have)
    if (!part || part.length === 0 || part.length > length - have)
      throw new SftpError('failed', 'it became shorter while it was read')
    parts.push(part)
    have += part.length
  }
  return Buffer.concat(parts)
}
