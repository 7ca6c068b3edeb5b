import { AppError } from '@rackfair/core'
import { download, upload, type Workspace } from '@rackfair/sdk/workspace'

/** Two of them are held. */
const PIECE_BYTES = 512 * 1024

export interface TransferOptions {
  signal: AbortSignal
  /** Bytes so far, and in all where that is known. */
  onProgress: (bytes: number, size: number | undefined) => void
}

/** Where a download goes. What was written is there only after `close`. */
export interface Destination {
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>
  close: () => Promise<void>
}

/**
 * Sends a file, holding little of it at a time. It is in its place when this resolves; until then, what was there before is.
 * @throws AppError; `onReady` was called where the machine had accepted to take it.
 */
export async function uploadFile(
  workspace: Workspace,
  { path, file, replace }: { path: string; file: Blob; replace: boolean },
  { signal, onProgress, onReady }: TransferOptions & { onReady: () => void },
): Promise<void> {
  const { size } = file
  const read = (at: number): Promise<Uint8Array> => {
    const piece = file.slice(at, at + PIECE_BYTES).arrayBuffer()
    const bytes = piece.then(
      (buffer) => new Uint8Array(buffer),
      (cause: unknown) => {
        throw new AppError('file_unreadable', String(cause), { cause })
      },
    )
    bytes.catch(() => undefined)
    return bytes
  }
  async function* pieces() {
    // Asked for once the machine is ready.
    onReady()
    let ahead = read(0)
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const piece = await ahead
      // Read while this one leaves: a stream of the browser's hands out small pieces, each of which would hold up the line.
      ahead = read(at + PIECE_BYTES)
      yield piece
    }
  }
  await upload(workspace, path, pieces(), { size, replace, signal, onProgress: (bytes) => onProgress(bytes, size) })
}

/** Receives a file, or a folder as a tar, a piece at a time. @throws AppError; then `destination` was not closed. */
export async function downloadFile(
  workspace: Workspace,
  path: string,
  destination: Destination,
  { signal, onProgress }: TransferOptions,
): Promise<void> {
  let size: number | undefined
  let received = 0
  await download(workspace, path, {
    signal,
    onBegin(begin) {
      size = begin.size
      onProgress(0, size)
    },
    async onBytes(bytes) {
      await destination.write(new Uint8Array(bytes))
      received += bytes.length
      onProgress(received, size)
    },
  })
  await destination.close()
}
