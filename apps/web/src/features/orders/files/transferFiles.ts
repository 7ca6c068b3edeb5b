import { AppError, decodeJson, encodeFrame, FRAME, readFrames } from '@rackfair/core'
import type { FileBegin, FileDone, FileReady, FilesRequest } from '@rackfair/core/wire'
import { toWorkspaceError, type Workspace } from '@rackfair/sdk/workspace'

const PIECE_BYTES = 128 * 1024

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
  const request: FilesRequest = { op: 'put', path, size: file.size, replace }
  await withStream(workspace, request, signal, async (stream) => {
    let unreadable: AppError | undefined
    const send = async () => {
      let sent = 0
      onReady()
      const reader = file.stream().getReader()
      const next = () =>
        reader.read().catch((cause: unknown) => {
          unreadable = new AppError('file_unreadable', String(cause), { cause })
          throw unreadable
        })
      for (let read = await next(); !read.done; read = await next()) {
        for (let at = 0; at < read.value.length; at += PIECE_BYTES) {
          const piece = read.value.subarray(at, at + PIECE_BYTES)
          await stream.write(encodeFrame(FRAME.bytes, piece))
          sent += piece.length
          onProgress(sent, file.size)
        }
      }
      stream.end()
    }
    try {
      for await (const { type, payload } of readFrames(stream.incoming)) {
        const message = type === FRAME.json ? (decodeJson(payload) as FileReady | FileDone) : undefined
        if (message && 'done' in message) return
        // What the machine says against it is heard here, where its answers are read.
        if (message) send().catch(() => stream.cancel())
      }
    } catch (error) {
      throw unreadable ?? error
    }
    throw new AppError('stream_interrupted', 'the machine did not say that the file is in its place', { retryable: true })
  })
}

/** Receives a file, or a folder as a tar, a piece at a time. @throws AppError; then `destination` was not closed. */
export async function downloadFile(
  workspace: Workspace,
  path: string,
  destination: Destination,
  { signal, onProgress }: TransferOptions,
): Promise<void> {
  await withStream(workspace, { op: 'get', path }, signal, async (stream) => {
    let begin: FileBegin | undefined
    let received = 0
    for await (const { type, payload } of readFrames(stream.incoming)) {
      if (type === FRAME.bytes) {
        await destination.write(new Uint8Array(payload))
        received += payload.length
        onProgress(received, begin?.size)
      } else if (type === FRAME.json) {
        const message = decodeJson(payload) as FileBegin | FileDone
        if ('done' in message) return destination.close()
        begin = message
        onProgress(0, begin.size)
      }
    }
    throw new AppError('stream_interrupted', 'the file did not come to its end', { retryable: true })
  })
}

type Opened = Awaited<ReturnType<Workspace['open']>>

async function withStream(
  workspace: Workspace,
  request: FilesRequest,
  signal: AbortSignal,
  work: (stream: Opened) => Promise<void>,
): Promise<void> {
  const stream = await workspace.open('files', request)
  const cancel = () => stream.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    await work(stream)
  } catch (error) {
    throw toWorkspaceError(error)
  } finally {
    signal.removeEventListener('abort', cancel)
    stream.cancel()
  }
}
