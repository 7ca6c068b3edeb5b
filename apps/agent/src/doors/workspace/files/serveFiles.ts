import { basename } from 'node:path'
import { encodeJson } from '@rackfair/protocol/frames'
import type { FileDone, FileEntry, FileList, FileSpace } from '@rackfair/protocol/workspaceAnswers'
import { type FilesRequest, filesRequest } from '@rackfair/protocol/workspaceRequests'
import type { ExecProcess } from '../../../runtime/Runtime.ts'
import { parseRequest } from '../parseRequest.ts'
import { type WorkspaceChannel, WorkspaceError, type WorkspaceHandler } from '../WorkspaceChannel.ts'
import { getFile } from './getFile.ts'
import { putFile } from './putFile.ts'
import { createSftpClient, type SftpClient, SftpError } from './sftpClient.ts'
import { typeOf } from './typeOf.ts'

const ENTRIES_IN_FRAME = 200
const MAX_DEPTH = 200
const TIDY_MS = 10_000
const MAX_NAME_BYTES = 255

export interface FilesOptions {
  /** Starts a file server in the order's container. Throws AppError `app_not_running` or `workspace_unsupported`. */
  fileServer: (orderId: bigint, service?: string) => Promise<ExecProcess>
  /** The folders of the order's disk, as the container sees them. */
  foldersOf: (orderId: bigint, service?: string) => readonly string[]
}

/** A file system says no more of it than that it failed. */
function refuseLongNames(request: FilesRequest): void {
  const paths = [request.path ?? '', 'to' in request ? request.to : '']
  if (paths.some((path) => path.split('/').some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)))
    throw new WorkspaceError('name_too_long', `a name has more than ${MAX_NAME_BYTES} bytes; nothing was changed`)
}

/**
 * Files of an order. All of it is done by a file server inside the container, as the application's user: where a link leads, it leads
 * inside, and what the user may not do is not done.
 */
export function createFilesHandler({ fileServer, foldersOf }: FilesOptions): WorkspaceHandler {
  const uploading = new Set<string>()
  return async (orderId, raw, channel) => {
    const request = parseRequest(filesRequest, raw)
    if (request.op === 'list' && request.path === undefined) {
      const entries = foldersOf(orderId, request.service).map(
        (name): FileEntry => ({ name, type: 'folder', size: 0, modified: 0 }),
      )
      return channel.write(encodeJson({ entries } satisfies FileList))
    }
    refuseLongNames(request)
    const sftp = createSftpClient(await fileServer(orderId, request.service))
    let tidying: NodeJS.Timeout | undefined
    const end = () => {
      // What came of a file is removed first.
      if (request.op === 'put') tidying = setTimeout(() => sftp.end(), TIDY_MS)
      else sftp.end()
    }
    channel.signal.addEventListener('abort', end, { once: true })
    let notIncluded = 0
    try {
      if (request.op === 'list') return await list(sftp, request.path ?? '/', channel)
      if (request.op === 'stat') return await stat(sftp, request.path, channel)
      if (request.op === 'get') notIncluded = await getFile(sftp, request.path, channel)
      else if (request.op === 'put') await putFile(sftp, request, channel, { orderId, uploading })
      else if (request.op === 'mkdir') await orExists(sftp, request.path, () => sftp.makeFolder(request.path))
      else if (request.op === 'rename') await orExists(sftp, request.to, () => sftp.rename(request.path, request.to))
      else await removeAll(sftp, request.path, 0)
      await channel.write(encodeJson({ done: true, ...(notIncluded > 0 ? { notIncluded } : {}) } satisfies FileDone))
    } catch (error) {
      throw error instanceof SftpError ? toWorkspaceError(error) : error
    } finally {
      channel.signal.removeEventListener('abort', end)
      clearTimeout(tidying)
      sftp.end()
    }
  }
}

function toWorkspaceError({ kind, message }: SftpError): WorkspaceError {
  if (kind === 'missing') return new WorkspaceError('file_not_found', 'there is no such file or folder')
  if (kind === 'gone') return new WorkspaceError('workspace_unsupported', `files cannot be reached in this container: ${message}`)
  return new WorkspaceError('file_refused', message.slice(0, 200))
}

async function list(sftp: SftpClient, path: string, channel: WorkspaceChannel): Promise<void> {
  const handle = await sftp.openFolder(path)
  await channel.write(encodeJson((await sftp.space(path)) satisfies FileSpace))
  for (let some = await sftp.readFolder(handle); some; some = await sftp.readFolder(handle)) {
    const entries = some.map(({ name, size, modified, mode }): FileEntry => ({ name, type: typeOf(mode), size, modified }))
    for (let at = 0; at < entries.length; at += ENTRIES_IN_FRAME)
      await channel.write(encodeJson({ entries: entries.slice(at, at + ENTRIES_IN_FRAME) } satisfies FileList))
  }
}

async function stat(sftp: SftpClient, path: string, channel: WorkspaceChannel): Promise<void> {
  const { size, modified, mode } = await sftp.lstat(path)
  const entry: FileEntry = { name: basename(path), type: typeOf(mode), size, modified }
  await channel.write(encodeJson({ entries: [entry] } satisfies FileList))
}

async function removeAll(sftp: SftpClient, path: string, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) throw new WorkspaceError('file_refused', `folders lie more than ${MAX_DEPTH} deep`)
  if (typeOf((await sftp.lstat(path)).mode) !== 'folder') {
    await sftp.remove(path)
    return
  }
  const handle = await sftp.openFolder(path)
  for (let some = await sftp.readFolder(handle); some; some = await sftp.readFolder(handle))
    for (const { name } of some)
      await removeAll(sftp, `${path}/${name}`, depth + 1).catch((error: unknown) => {
        // The application removed it in the meantime.
        if (!(error instanceof SftpError) || error.kind !== 'missing') throw error
      })
  await sftp.close(handle)
  await sftp.removeFolder(path)
}

/** The protocol has no word of its own for a target that is there. */
async function orExists(sftp: SftpClient, path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isThere = await sftp.lstat(path).then(
      () => true,
      () => false,
    )
    if (isThere) throw new WorkspaceError('file_exists', 'there is a file or folder of this name already')
    throw error
  }
}
