import type { FileEntry } from '@rackfair/protocol/workspaceAnswers'
import { appError } from '../errors/appError.ts'
import { changeFiles } from '../workspace/changeFiles.ts'
import { download, listFiles, statFile, upload } from '../workspace/copy.ts'
import type { Workspace } from '../workspace/Workspace.ts'
import { type FileEvent, type Watching, type WatchOptions, watchFolder } from './watchFolder.ts'

/** Paths are absolute, in the image's file system, with the rights of its user. */
export interface Files {
  /**
   * A file as text, or with `readBytes` as bytes; at most `maxBytes`, by default 64 MiB.
   * @throws AppError `file_not_found`, `file_refused` for a folder, `payload_too_large`, `stream_interrupted` (retryable).
   */
  read(path: string, options?: { maxBytes?: number }): Promise<string>
  readBytes(path: string, options?: { maxBytes?: number }): Promise<Uint8Array>
  /**
   * Writes a file whole, in place of one that is there. Folders above it are made.
   * @throws AppError `file_refused`, `order_disk_full`, `stream_interrupted` (retryable).
   */
  write(path: string, data: string | Uint8Array): Promise<void>
  /**
   * What a folder has. With a `depth` of more than 1, also what its folders have, named by their paths below it.
   * @throws AppError `bad_request`, `file_not_found`, `file_refused`
   */
  list(path: string, options?: { depth?: number | undefined }): Promise<FileEntry[]>
  /** A link is a link, wherever it leads. @throws AppError `file_not_found`, `file_refused` */
  stat(path: string): Promise<FileEntry>
  exists(path: string): Promise<boolean>
  /** Makes a folder, and those above it; false if it was there. @throws AppError `file_exists` for a file, `file_refused` */
  makeDir(path: string): Promise<boolean>
  /** @throws AppError `file_not_found`, `file_exists`, `file_refused` */
  rename(path: string, to: string): Promise<void>
  /**
   * Tells what changes in a folder, by reading it again and again. What changes from when this resolves is told.
   * @throws AppError as `list`
   * @example const watching = await sandbox.files.watch('/data', ({ kind, name }) => console.log(kind, name))
   */
  watch(path: string, onChange: (event: FileEvent) => void, options?: WatchOptions): Promise<Watching>
  /** Removes a file, or a folder with all that is in it. @throws AppError `file_not_found`, `file_refused` */
  remove(path: string): Promise<void>
}

const MAX_BYTES = 64 * 2 ** 20

export function filesOf(workspace: Workspace): Files {
  const readBytes: Files['readBytes'] = async (path, { maxBytes = MAX_BYTES } = {}) => {
    let whole = new Uint8Array(0)
    let length = 0
    const tooLong = () => appError('payload_too_large', `${path} has more than ${maxBytes} bytes`)
    await download(workspace, path, {
      onBegin({ type, size = 0 }) {
        if (type === 'tar') throw appError('file_refused', `${path} is a folder`)
        if (size > maxBytes) throw tooLong()
        whole = new Uint8Array(size)
      },
      onBytes(piece) {
        if (length + piece.length > whole.length) throw tooLong()
        whole.set(piece, length)
        length += piece.length
      },
    })
    return whole
  }
  const list: Files['list'] = async (path, { depth = 1 } = {}) => {
    if (!Number.isInteger(depth) || depth < 1) throw appError('bad_request', 'the depth of a list is at least one')
    const all: FileEntry[] = []
    for (const entry of await listFiles(workspace, path)) {
      all.push(entry)
      if (depth === 1 || entry.type !== 'folder') continue
      // What is gone by now, or closed to the user, has nothing to list.
      const inside = await list(`${path}/${entry.name}`, { depth: depth - 1 }).catch(ifRefused([]))
      all.push(...inside.map((one) => ({ ...one, name: `${entry.name}/${one.name}` })))
    }
    return all
  }
  const mkdir = (path: string) => changeFiles(workspace, { op: 'mkdir', path })
  return {
    readBytes,
    read: async (path, options) => new TextDecoder().decode(await readBytes(path, options)),
    async write(path, data) {
      const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
      const put = () => upload(workspace, path, only(bytes), { size: bytes.length, replace: true })
      await put().catch(ifMissing(() => makeFolders(mkdir, path).then(put)))
    },
    list,
    stat: (path) => statFile(workspace, path),
    exists: (path) =>
      statFile(workspace, path).then(
        () => true,
        ifMissing(() => false),
      ),
    async makeDir(path) {
      const make = () => mkdir(path).then(() => true)
      try {
        return await make().catch(ifMissing(() => makeFolders(mkdir, path).then(make)))
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'file_exists' || (await statFile(workspace, path)).type === 'file') throw error
        return false
      }
    },
    rename: (path, to) => changeFiles(workspace, { op: 'rename', path, to }),
    watch: (path, onChange, options) => watchFolder(list, path, onChange, options),
    remove: (path) => changeFiles(workspace, { op: 'remove', path }),
  }
}

/** What is done, or the case, where nothing is there. */
const ifMissing =
  <Value>(then: () => Value) =>
  (error: { code?: unknown }): Value => {
    if (error.code !== 'file_not_found') throw error
    return then()
  }

const ifRefused =
  <Value>(value: Value) =>
  (error: { code?: unknown }): Value => {
    if (error.code !== 'file_not_found' && error.code !== 'file_refused') throw error
    return value
  }

/** Makes the folders above a file that are missing. */
async function makeFolders(mkdir: (path: string) => Promise<void>, path: string): Promise<void> {
  const names = path.split('/').slice(1, -1)
  for (let depth = 1; depth <= names.length; depth += 1) {
    const folder = `/${names.slice(0, depth).join('/')}`
    await mkdir(folder).catch((error: { code?: unknown }) => {
      // What is there, or may not be made, shows in the next step.
      if (error.code !== 'file_exists' && error.code !== 'file_refused') throw error
    })
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
