import { AppError } from '@rackfair/rules/errors/AppError'
import { download, upload, type Workspace } from '@rackfair/sdk/workspace'

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
 * Sends a file, holding a piece of it at a time. It is in its place when this resolves; until then, what was there before is.
 * @throws AppError; `onReady` was called where the machine had accepted to take it.
 */
export async function uploadFile(
  workspace: Workspace,
  { path, file, replace }: { path: string; file: Blob; replace: boolean },
  { signal, onProgress, onReady }: TransferOptions & { onReady: () => void },
): Promise<void> {
  const { size } = file
  async function* pieces() {
    // `upload` pulls the first piece only once the machine is ready to receive.
    onReady()
    onProgress(0, size)
    const reader = file.stream().getReader()
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
    } catch (cause) {
      throw new AppError('file_unreadable', String(cause), { cause })
    }
  }
  await upload(workspace, path, pieces(), { size, replace, signal, onProgress: (bytes) => onProgress(bytes, size) })
}

/**
 * Receives a file, or a folder as a tar, a piece at a time. Resolves to the number of entries that its tar has not whole.
 * @throws AppError; then `destination` was not closed.
 */
export async function downloadFile(
  workspace: Workspace,
  path: string,
  destination: Destination,
  { signal, onProgress }: TransferOptions,
): Promise<number> {
  let size: number | undefined
  let received = 0
  const { notIncluded } = await download(workspace, path, {
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
  return notIncluded
}
