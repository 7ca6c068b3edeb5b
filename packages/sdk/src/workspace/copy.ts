import { decodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import { downloadMessage, type FileBegin, type FileEntry, listMessage } from '@rackfair/protocol/workspaceAnswers'
import { StreamError } from '@rackfair/sealed'
import { appError } from '../errors/appError.ts'
import { readJsonFrames, withStream, writeBytes } from './exec.ts'
import type { Workspace } from './Workspace.ts'

export interface UploadOptions {
  /** Exact number of bytes in the source. */
  size: number
  /** Overwrites an existing file. */
  replace?: boolean
  /** Called with the number of bytes sent so far. */
  onProgress?: (bytes: number) => void
  signal?: AbortSignal | undefined
}

/**
 * Uploads a file into the application's container, with the rights of its user. It is replaced atomically: on failure, the previous file
 * stays.
 *
 * @param path absolute, of the file itself.
 * @throws AppError `file_exists`, `file_refused`, `order_disk_full`; retryable: `upload_in_progress`, `stream_interrupted`.
 * @example await upload(workspace, '/data/model.bin', createReadStream('model.bin'), { size: statSync('model.bin').size })
 */
export async function upload(
  workspace: Workspace,
  path: string,
  data: AsyncIterable<Uint8Array>,
  { size, replace = false, onProgress, signal }: UploadOptions,
): Promise<void> {
  await withStream(workspace, 'files', { op: 'put', path, size, replace }, signal, async (stream) => {
    const answers = readJsonFrames(readFrames(stream.incoming))
    const ready = await answers.next()
    if (ready.value?.ready !== true) throw new StreamError('stream_interrupted', 'the provider did not take the file')
    let sent = 0
    for await (const piece of data) {
      sent += piece.length
      if (sent > size) throw new StreamError('file_refused', 'the file became longer while it was read')
      await writeBytes(stream, piece)
      onProgress?.(sent)
    }
    if (sent < size) throw new StreamError('file_refused', 'the file became shorter while it was read')
    stream.end()
    for await (const answer of answers) if (answer.done === true) return
    throw new StreamError('stream_interrupted', 'the provider did not say that the file is in its place')
  })
}

export interface Download {
  /** A folder is sent as a tar. */
  type: 'file' | 'tar'
  /** Bytes; undefined for a tar. */
  size: number | undefined
  /** Bytes received. */
  bytes: number
  /** How many entries of a folder could not be read; a file at the end of the tar names them, with the reasons. */
  notIncluded: number
}

export interface DownloadOptions {
  /** Called with the metadata before the first byte. */
  onBegin?: (begin: FileBegin) => void | Promise<void>
  /** If it returns a promise, the download waits for it. */
  onBytes: (bytes: Uint8Array) => void | Promise<void>
  signal?: AbortSignal | undefined
}

/**
 * Downloads a file, or a folder as a tar, from the application's container.
 *
 * @throws AppError `file_not_found`, `file_refused`, `stream_interrupted` (retryable): what was received so far is incomplete.
 * @example await download(workspace, '/data/result.json', { onBytes: (bytes) => file.write(bytes) })
 */
export async function download(workspace: Workspace, path: string, options: DownloadOptions): Promise<Download> {
  return withStream(workspace, 'files', { op: 'get', path }, options.signal, async (stream) => {
    let begin: FileBegin | undefined
    let bytes = 0
    for await (const { type, payload } of readFrames(stream.incoming)) {
      if (type === FRAME.bytes) {
        bytes += payload.length
        await options.onBytes(payload)
        continue
      }
      const message = type === FRAME.json ? downloadMessage(decodeJson(payload), 'download') : undefined
      if (message === undefined) continue
      if ('type' in message) {
        begin = message
        await options.onBegin?.(begin)
      } else if (begin) {
        if (begin.size !== undefined && begin.size !== bytes) break
        return { type: begin.type, size: begin.size, bytes, notIncluded: message.notIncluded ?? 0 }
      }
    }
    throw new StreamError('stream_interrupted', 'the file did not arrive whole')
  })
}

/** A folder that a program reads whole has fewer. */
const MAX_ENTRIES = 250_000

/**
 * Lists a folder of the application's container; without a path, the folders of the order's disk.
 * @throws AppError `file_not_found`, `file_refused`; `payload_too_large` for a folder of more than 250,000 entries.
 * @example for (const { name, size } of await listFiles(workspace, '/data')) console.log(visibleText(name), size)
 */
export async function listFiles(workspace: Workspace, path?: string): Promise<FileEntry[]> {
  return entriesOf(workspace, { op: 'list', ...(path === undefined ? {} : { path }) })
}

/**
 * What a path of the application's container is; a link is a link, wherever it leads.
 * @throws AppError `file_not_found`, `file_refused`, `stream_interrupted` (retryable).
 * @example const { size } = await statFile(workspace, '/data/model.bin')
 */
export async function statFile(workspace: Workspace, path: string): Promise<FileEntry> {
  const [entry] = await entriesOf(workspace, { op: 'stat', path })
  if (!entry) throw appError('stream_interrupted', 'the machine did not say what is there')
  return entry
}

function entriesOf(workspace: Workspace, request: object): Promise<FileEntry[]> {
  return withStream(workspace, 'files', request, undefined, async (stream) => {
    const entries: FileEntry[] = []
    for await (const answer of readJsonFrames(readFrames(stream.incoming))) {
      const message = listMessage(answer, 'files')
      if (message && 'entries' in message) entries.push(...message.entries)
      if (entries.length > MAX_ENTRIES)
        throw new StreamError('payload_too_large', `the folder has more than ${MAX_ENTRIES} entries`)
    }
    return entries
  })
}
